#include "glassrank/data/synth/grading.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/data/synth/portable_exp.h"

namespace glassrank {
namespace {

TEST(PortableExp, IsCloseToTheRealOne) {
  for (float x = -20; x < 20; x += 0.013F) {
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(portable_exp(x) / expected, 1.0, 3e-7) << x;
  }
}

TEST(Grading, ThresholdsAreTheLowestUtilityOfTheirGrade) {
  const std::vector<float> utilities = {5, 1, 4, 2, 3};
  const auto thresholds = grade_thresholds(utilities, std::vector<double>{0.4, 0.4, 0.2});
  EXPECT_EQ(thresholds, (std::vector<float>{3, 5}));  // 1 2 | 3 4 | 5
  EXPECT_EQ(grade_of(2, thresholds), 0);
  EXPECT_EQ(grade_of(3, thresholds), 1);
  EXPECT_EQ(grade_of(9, thresholds), 2);
}

TEST(Grading, AShareOfZeroGivesNobodyThatGrade) {
  const auto thresholds = grade_thresholds(std::vector<float>{1, 2}, std::vector<double>{1.0, 0.0});
  EXPECT_EQ(grade_of(2, thresholds), 0);
}

}  // namespace
}  // namespace glassrank
