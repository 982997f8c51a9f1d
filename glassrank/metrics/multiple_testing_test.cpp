#include "glassrank/metrics/multiple_testing.h"

#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

const std::vector<double> kP = {0.04, 0.01, 0.03, 0.5};

// Ascending 0.01, 0.03, 0.04, 0.5 times 4, 3, 2, 1 gives 0.04, 0.09, 0.08 -> 0.09, 0.5.
TEST(Holm, StepsDownAndNeverFalls) {
  const auto corrected = correct_p_values(kP, Correction::kHolm);
  EXPECT_DOUBLE_EQ(corrected[0], 0.09);
  EXPECT_DOUBLE_EQ(corrected[1], 0.04);
  EXPECT_DOUBLE_EQ(corrected[2], 0.09);
  EXPECT_DOUBLE_EQ(corrected[3], 0.5);
}

TEST(Bonferroni, MultipliesByTheSizeOfTheFamily) {
  const auto corrected = correct_p_values(kP, Correction::kBonferroni);
  EXPECT_DOUBLE_EQ(corrected[0], 0.16);
  EXPECT_DOUBLE_EQ(corrected[1], 0.04);
  EXPECT_DOUBLE_EQ(corrected[2], 0.12);
  EXPECT_DOUBLE_EQ(corrected[3], 1.0);
}

TEST(Corrections, LeaveOneTestAlone) {
  const std::vector<double> one = {0.2};
  for (const auto correction : {Correction::kHolm, Correction::kBonferroni, Correction::kNone}) {
    EXPECT_EQ(correct_p_values(one, correction), one);
  }
  EXPECT_EQ(correct_p_values(kP, Correction::kNone), kP);
  EXPECT_TRUE(correct_p_values({}, Correction::kHolm).empty());
}

}  // namespace
}  // namespace glassrank
