#pragma once
// For tests of kernels whose instructions are chosen at run time (Highway): runs something once
// with each of the instruction sets that this machine has and the kernels were compiled for, the
// one without vectors too.
//
//   TEST_ON_EVERY_TARGET(Suite, Fact) { ... }    is a TEST that runs its body so

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace glassrank {

template <typename Body>
void on_every_target(const Body& body) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(targets);
  };
  // GLASSRANK_SIMD may have left fewer than the machine has.
  const std::int64_t before = hwy::SupportedTargets();
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  const std::int64_t plain = HWY_STATIC_TARGET;
  if (std::ranges::find(targets, plain) == targets.end()) targets.push_back(plain);
  for (const std::int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    choose(target);
    body();
  }
  choose(before);
}

}  // namespace glassrank

#define TEST_ON_EVERY_TARGET(suite, name)                                             \
  static void suite##_##name##_on_one_target();                                       \
  TEST(suite, name) { ::glassrank::on_every_target(suite##_##name##_on_one_target); } \
  static void suite##_##name##_on_one_target()
