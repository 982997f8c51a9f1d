#include "glassrank/metrics/tukey.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<std::vector<double>> kSystems = {
    {.34, .71, .05, .92, .48, .66, .27, .83, .59, .12},
    {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11},
    {.31, .60, .02, .85, .40, .55, .30, .79, .45, .10}};

// scipy 1.17, with numpy for the two-way residuals:
//   R = M - M.mean(1, keepdims=True) - M.mean(0, keepdims=True) + M.mean(); mse = (R**2).sum() / 18
//   scipy.stats.studentized_range.sf(abs(mean_a - mean_b) / sqrt(mse / 10), 3, 18), .isf(0.05, 3,
//   18)
TEST(Tukey, WithQueriesAsBlocksMatchesScipysStudentizedRange) {
  const TukeyResult result = tukey_hsd(kSystems);
  EXPECT_NEAR(result.mean_square_error, 0.0035666666666666676, 1e-15);
  EXPECT_EQ(result.degrees, 18);
  ASSERT_EQ(result.pairs.size(), 3);
  EXPECT_NEAR(result.pairs[0].q, 4.236027057709241, 1e-12);
  EXPECT_NEAR(result.pairs[0].p, 0.02019614576872031, 1e-9);
  EXPECT_NEAR(result.pairs[1].p, 0.09014860871576513, 1e-9);
  EXPECT_NEAR(result.pairs[2].p, 0.7381651564085716, 1e-9);
  EXPECT_EQ(result.pairs[2].a, 1);
  EXPECT_EQ(result.pairs[2].b, 2);
  EXPECT_NEAR(result.pairs[0].interval.high - result.pairs[0].mean_difference, 0.06816394285561289,
              1e-9);
}

// scipy 1.17: scipy.stats.tukey_hsd(*systems).pvalue and .confidence_interval(0.95).low
TEST(Tukey, WithoutBlocksMatchesScipysTukeyHsd) {
  const TukeyResult result = tukey_hsd(kSystems, {.blocks = false});
  EXPECT_EQ(result.degrees, 27);
  EXPECT_NEAR(result.pairs[0].p, 0.79506712, 1e-8);
  EXPECT_NEAR(result.pairs[1].p, 0.87850972, 1e-8);
  EXPECT_NEAR(result.pairs[2].p, 0.9856437, 1e-7);
  EXPECT_NEAR(result.pairs[0].interval.low, -0.2261022, 1e-7);
}

// For two systems the residual of each is half the centred difference, so MSE = var(d) / 2 and
// q = sqrt(2) |t|.
TEST(Tukey, OfTwoSystemsIsThePairedT) {
  const std::vector<std::vector<double>> two(kSystems.begin(), kSystems.begin() + 2);
  const TukeyPair pair = tukey_hsd(two).pairs.front();
  const StudentResult student = paired_t_test(two[0], two[1]);
  EXPECT_NEAR(pair.q, std::numbers::sqrt2 * student.t, 1e-12);
  EXPECT_NEAR(pair.p, student.p.two_sided, 1e-11);
  EXPECT_NEAR(pair.interval.low, student.interval.low, 1e-10);
  EXPECT_NEAR(pair.interval.high, student.interval.high, 1e-10);
}

TEST(Tukey, WithBlocksIgnoresHowHardAQueryIs) {
  auto shifted = kSystems;
  for (auto& values : shifted) {
    for (std::size_t q = 0; q < values.size(); ++q) values[q] += 3.0 * static_cast<double>(q % 4);
  }
  EXPECT_NEAR(tukey_hsd(shifted).pairs[0].p, tukey_hsd(kSystems).pairs[0].p, 1e-10);
}

TEST(Tukey, HandlesSystemsWithoutNoise) {
  const std::vector<std::vector<double>> systems = {{1, 2}, {1, 2}, {4, 5}};
  const TukeyResult result = tukey_hsd(systems);
  EXPECT_EQ(result.pairs[0].p, 1.0);
  EXPECT_EQ(result.pairs[1].p, 0.0);
}

TEST(Tukey, SaysWhatIsMissing) {
  const auto message = [](const std::vector<std::vector<double>>& systems) {
    try {
      tukey_hsd(systems);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({{1, 2}}), "Tukey's test compares two or more systems, here is 1");
  EXPECT_EQ(message({{1}, {2}}), "Tukey's test needs two or more queries");
}

}  // namespace
}  // namespace glassrank
