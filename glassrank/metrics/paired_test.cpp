#include "glassrank/metrics/paired.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

const std::vector<double> kA = {.34, .71, .05, .92, .48, .66, .27, .83, .59, .12};
const std::vector<double> kB = {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11};

std::string message_for(const std::vector<double>& a, const std::vector<double>& b) {
  return message_of([&] { check_paired(a, b); });
}

// d = 1, 2, 3: mean 2, sd 1, t = 2 / (1 / sqrt 3) = 3.4641; p of t on 2 degrees has the closed form
// 1 - t / sqrt(t^2 + 2) = 1 - 3.4641 / sqrt 14 = 0.074180.
TEST(PairedT, OfThreeDifferencesByHand) {
  const std::vector<double> a = {3, 5, 9};
  const std::vector<double> b = {2, 3, 6};
  const StudentResult result = paired_t_test(a, b);
  EXPECT_DOUBLE_EQ(result.mean_difference, 2.0);
  EXPECT_DOUBLE_EQ(result.t, 2 * std::sqrt(3.0));
  EXPECT_EQ(result.degrees, 2);
  EXPECT_NEAR(result.p.two_sided, 1 - std::sqrt(12.0 / 14.0), 1e-14);
  EXPECT_NEAR(result.p.greater, result.p.two_sided / 2, 1e-15);
  EXPECT_NEAR(result.p.less, 1 - result.p.greater, 1e-15);
}

// scipy 1.17: r = scipy.stats.ttest_rel(A, B); r.pvalue, r.confidence_interval(0.95)
TEST(PairedT, MatchesScipy) {
  const StudentResult result = paired_t_test(kA, kB);
  EXPECT_NEAR(result.t, 2.2987830845307635, 1e-12);
  EXPECT_NEAR(result.p.two_sided, 0.047093067000181274, 1e-13);
  EXPECT_NEAR(result.p.greater, 0.023546533500090637, 1e-13);
  EXPECT_NEAR(result.interval.low, 0.0012746194968642627, 1e-13);
  EXPECT_NEAR(result.interval.high, 0.15872538050313573, 1e-13);
}

TEST(PairedT, ChangesSidesWithTheSystems) {
  const StudentResult ab = paired_t_test(kA, kB);
  const StudentResult ba = paired_t_test(kB, kA);
  EXPECT_EQ(ab.t, -ba.t);
  EXPECT_EQ(ab.p.two_sided, ba.p.two_sided);
  EXPECT_EQ(ab.p.greater, ba.p.less);
}

TEST(PairedT, FindsNothingInEqualSystemsOrOneQuery) {
  EXPECT_EQ(paired_t_test(kA, kA).p.two_sided, 1.0);
  EXPECT_EQ(paired_t_test(kA, kA).p.greater, 1.0);
  const StudentResult one = paired_t_test(std::vector{1.0}, std::vector{0.0});
  EXPECT_EQ(one.p.two_sided, 1.0);
  EXPECT_EQ(one.interval.high, std::numeric_limits<double>::infinity());
}

TEST(PairedT, IsCertainOfAConstantDifference) {
  const StudentResult result = paired_t_test(std::vector{3.0, 4.0}, std::vector{1.0, 2.0});
  EXPECT_EQ(result.t, std::numeric_limits<double>::infinity());
  EXPECT_EQ(result.p.two_sided, 0.0);
  EXPECT_EQ(result.p.less, 1.0);
}

TEST(WinTieLoss, CountsQueries) {
  const WinTieLoss counts =
      count_wins(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{1.0, 1.0, 5.0, 2.0});
  EXPECT_EQ(counts.wins, 2);
  EXPECT_EQ(counts.ties, 1);
  EXPECT_EQ(counts.losses, 1);
}

TEST(CheckPaired, NamesWhatIsWrong) {
  EXPECT_EQ(message_for({1, 2}, {1}), "paired values must cover the same queries: 2 against 1");
  EXPECT_EQ(message_for({}, {}), "there are no queries to compare on");
  EXPECT_EQ(message_for({1, 2}, {1, std::nan("")}),
            "value nan of query number 2 is not a number of at most 1e+150");
}

}  // namespace
}  // namespace glassrank
