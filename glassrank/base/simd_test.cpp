#include "glassrank/base/simd.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Leaves the choice as it was.
class SimdTest : public testing::Test {
 protected:
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(before_);
    hwy::GetChosenTarget().Update(before_);
  }
  std::int64_t before_ = hwy::SupportedTargets();
};

TEST_F(SimdTest, PlainIsAlwaysThereAndMeansNoVectors) {
  EXPECT_EQ(simd_levels().front(), SimdLevel::kPlain);
  limit_simd(SimdLevel::kPlain);
  EXPECT_EQ(hwy::SupportedTargets() & ~(HWY_SCALAR | HWY_EMU128), 0);
}

TEST_F(SimdTest, ALevelHasTheLowerOnesToo) {
  std::int64_t lower = 0;
  for (const SimdLevel level : simd_levels()) {
    limit_simd(level);
    const std::int64_t targets = hwy::SupportedTargets();
    EXPECT_EQ(targets & lower & ~(HWY_SCALAR | HWY_EMU128), lower & ~(HWY_SCALAR | HWY_EMU128));
    EXPECT_NE(targets, lower) << to_text(level);
    lower = targets;
  }
  const std::vector<SimdLevel> levels = simd_levels();  // limits do not hide what there is
  limit_simd(SimdLevel::kPlain);
  EXPECT_EQ(simd_levels(), levels);
}

TEST_F(SimdTest, NamesAreReadAndWritten) {
  for (const char* name : {"plain", "sse4", "avx2", "avx3"}) {
    EXPECT_EQ(to_text(parse_simd_level(name)), name);
  }
  try {
    parse_simd_level("avx4");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_TRUE(std::string(error.what()).starts_with("unknown instruction set 'avx4'"))
        << error.what();
  }
}

TEST_F(SimdTest, WhatTheMachineDoesNotHaveIsAnError) {
  if (simd_levels().back() == SimdLevel::kAvx3) GTEST_SKIP() << "this machine has them all";
  try {
    limit_simd(SimdLevel::kAvx3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "this machine has no avx3 instructions");
  }
}

}  // namespace
}  // namespace glassrank
