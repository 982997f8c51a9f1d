#include "glassrank/boosting/sampling/negative_counts.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glassrank {
namespace {

TEST(RoundCount, GoesDownHalfUpOrUp) {
  const double values[] = {2.0, 2.4, 2.5, 2.6};
  const std::array<std::size_t, 4> down = {2, 2, 2, 2};
  const std::array<std::size_t, 4> nearest = {2, 2, 3, 3};
  const std::array<std::size_t, 4> up = {2, 3, 3, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(round_count(values[i], Rounding::kFloor), down[i]);
    EXPECT_EQ(round_count(values[i], Rounding::kRound), nearest[i]);
    EXPECT_EQ(round_count(values[i], Rounding::kCeil), up[i]);
  }
  EXPECT_EQ(round_count(0, Rounding::kCeil), 0U);
}

TEST(RoundCount, MeansDecimalSharesAsWritten) {
  EXPECT_LT(0.29 * 100, 29);     // in binary
  EXPECT_GT(0.07 * 100, 7);      // in binary
  EXPECT_LT(0.145 * 100, 14.5);  // in binary
  EXPECT_EQ(round_count(0.29 * 100, Rounding::kFloor), 29U);
  EXPECT_EQ(round_count(0.07 * 100, Rounding::kCeil), 7U);
  EXPECT_EQ(round_count(0.145 * 100, Rounding::kRound), 15U);
}

NegativeCounts count(const NegativeFactors& factors, std::size_t base, std::size_t num_negatives,
                     std::size_t min_negatives = 0) {
  return count_negatives({.factors = factors, .min_negatives = min_negatives}, base, num_negatives);
}

TEST(NegativeCounts, AreFactorsTimesTheBase) {
  // 0.2 * 9 = 1.8, 0.4 * 9 = 3.6, 0.1 * 9 = 0.9
  const NegativeCounts ratio = count({.top = 0.2, .bottom = 0.4, .random = 0.1}, 9, 9);
  EXPECT_EQ(ratio.top, 2U);
  EXPECT_EQ(ratio.bottom, 4U);
  EXPECT_EQ(ratio.random, 1U);
  // Three for each of two positives, of ten; of five only those there are.
  EXPECT_EQ(count({.top = 3}, 2, 10).top, 6U);
  EXPECT_EQ(count({.top = 3}, 2, 5).top, 5U);
  EXPECT_EQ(count({.top = 1e300}, 2, 5).top, 5U);
  EXPECT_EQ(count({.top = 3}, 0, 5).all(), 0U);
}

TEST(NegativeCounts, OfOverlappingSharesCountADocumentOnce) {
  const NegativeCounts both = count({.top = 0.7, .bottom = 0.6, .random = 0.5}, 10, 10);
  EXPECT_EQ(both.top, 7U);
  EXPECT_EQ(both.bottom, 3U);
  EXPECT_EQ(both.random, 0U);
}

TEST(NegativeCounts, AreFilledUpToTheMinimum) {
  EXPECT_EQ(count({.top = 0.01}, 20, 20, 3).top, 3U);
  EXPECT_EQ(count({.top = 0.1, .bottom = 0.1}, 20, 20, 5).top, 3U);  // 2 + 2 and one more
  EXPECT_EQ(count({.random = 0.01}, 20, 20, 3).random, 3U);
  EXPECT_EQ(count({.top = 0.01}, 2, 2, 3).top, 2U);  // there are no more
  EXPECT_EQ(count({.top = 0.5}, 20, 20, 3).top, 10U);
}

RC_GTEST_PROP(NegativeCounts, NeverExceedTheNegatives, ()) {
  const auto factor = [] { return *rc::gen::inRange(0, 300) / 100.0; };
  const auto num_negatives = *rc::gen::inRange<std::size_t>(0, 50);
  const auto base = *rc::gen::inRange<std::size_t>(0, 80);
  const auto least = *rc::gen::inRange<std::size_t>(0, 60);
  const CountRule rule{
      .factors = {factor(), factor(), factor()},
      .rounding = *rc::gen::element(Rounding::kFloor, Rounding::kRound, Rounding::kCeil),
      .min_negatives = least};
  const NegativeCounts counts = count_negatives(rule, base, num_negatives);
  RC_ASSERT(counts.all() <= num_negatives);
  RC_ASSERT(counts.all() >= std::min(least, num_negatives));
}

TEST(BetterShare, LooksAtTheLastRounds) {
  const std::vector<std::uint8_t> rounds = {1, 1, 0, 1, 0};
  EXPECT_DOUBLE_EQ(better_share(rounds, 2), 0.5);
  EXPECT_DOUBLE_EQ(better_share(rounds, 3), 1.0 / 3);
  EXPECT_DOUBLE_EQ(better_share(rounds, 100), 0.6);
  EXPECT_DOUBLE_EQ(better_share({}, 100), 1);
}

// a = 0.25, top (high) 0.4, random (low) 0.1: between = 0.1 + 0.75 * 0.3 = 0.325.
TEST(Adapt, FollowsTheStrategies) {
  const NegativeFactors given{.top = 0.4, .bottom = 0, .random = 0.1};
  const NegativeFactors none = adapt(given, AdaptiveStrategy::kNone, 0.25);
  EXPECT_DOUBLE_EQ(none.top, 0.4);
  EXPECT_DOUBLE_EQ(none.random, 0.1);
  const NegativeFactors fixed = adapt(given, AdaptiveStrategy::kFixed, 0.25);
  EXPECT_DOUBLE_EQ(fixed.top, 0.325);
  EXPECT_DOUBLE_EQ(fixed.random, 0.325);
  const NegativeFactors ratio = adapt(given, AdaptiveStrategy::kRatio, 0.25);
  EXPECT_DOUBLE_EQ(ratio.top, 0.125);     // 0.5 * 0.25
  EXPECT_DOUBLE_EQ(ratio.random, 0.375);  // 0.5 * 0.75
  const NegativeFactors mix = adapt(given, AdaptiveStrategy::kMix, 0.25);
  EXPECT_DOUBLE_EQ(mix.top, 0.08125);     // 0.325 * 0.25
  EXPECT_DOUBLE_EQ(mix.random, 0.24375);  // 0.325 * 0.75
}

}  // namespace
}  // namespace glassrank
