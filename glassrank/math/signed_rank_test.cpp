#include "glassrank/math/signed_rank.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

std::vector<std::uint32_t> untied(std::uint32_t n) {
  std::vector<std::uint32_t> ranks(n);
  for (std::uint32_t i = 0; i < n; ++i) ranks[i] = 2 * (i + 1);
  return ranks;
}

// Ranks 1, 2, 3: the eight sums are 0 1 2 3 3 4 5 6.
TEST(SignedRank, CountsTheEightSignPatternsOfThreeRanks) {
  const auto tails = signed_rank_tails(untied(3), 2 * 3);
  EXPECT_EQ(tails.upper, 5.0 / 8);
  EXPECT_EQ(tails.lower, 5.0 / 8);
  EXPECT_EQ(signed_rank_tails(untied(3), 2 * 6).upper, 1.0 / 8);
  EXPECT_EQ(signed_rank_tails(untied(3), 0).lower, 1.0 / 8);
}

// Ranks 1, 2.5, 2.5: the sums are 0 1 2.5 2.5 3.5 3.5 5 6.
TEST(SignedRank, UsesAverageRanksOfTies) {
  const std::vector<std::uint32_t> ranks = {2, 5, 5};
  EXPECT_EQ(signed_rank_tails(ranks, 7).upper, 4.0 / 8);
  EXPECT_EQ(signed_rank_tails(ranks, 7).lower, 6.0 / 8);
}

TEST(SignedRank, MatchesEnumerationOfAllSigns) {
  const std::vector<std::uint32_t> ranks = {2, 5, 5, 8, 10, 13, 13, 16, 18, 20};
  const auto total = std::accumulate(ranks.begin(), ranks.end(), 0U);
  for (std::uint32_t w = 0; w <= total; ++w) {
    int upper = 0;
    int lower = 0;
    for (unsigned signs = 0; signs < 1024; ++signs) {
      std::uint32_t sum = 0;
      for (unsigned i = 0; i < 10; ++i) sum += (signs >> i & 1U) != 0 ? ranks[i] : 0;
      upper += sum >= w ? 1 : 0;
      lower += sum <= w ? 1 : 0;
    }
    const auto tails = signed_rank_tails(ranks, w);
    ASSERT_EQ(tails.upper, upper / 1024.0);
    ASSERT_EQ(tails.lower, lower / 1024.0);
  }
}

// The printed tables give 434 as the two-sided 5 % critical value of n = 50.
TEST(SignedRank, HasTheTabulatedTailOfFiftyRanks) {
  EXPECT_LE(signed_rank_tails(untied(50), 2 * 434).lower, 0.025);
  EXPECT_GT(signed_rank_tails(untied(50), 2 * 435).lower, 0.025);
}

}  // namespace
}  // namespace glassrank
