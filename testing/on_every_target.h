#pragma once
// For tests of kernels whose instructions are chosen at run time (Highway): runs something once
// with each of the instruction sets that this machine has and the kernels were compiled for.

#include <cstdint>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace glassrank {

template <typename Body>
void on_every_target(const Body& body) {
  const auto choose = [](std::int64_t targets) {  // 0: all there are
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    choose(target);
    body();
  }
  choose(0);
}

}  // namespace glassrank
