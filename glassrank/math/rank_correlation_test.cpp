#include "glassrank/math/rank_correlation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

PairCounts count_by_definition(const Values& a, const Values& b) {
  PairCounts counts;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ++counts.pairs;
      counts.tied_a += a[i] == a[j];
      counts.tied_b += b[i] == b[j];
      if (a[i] == a[j] || b[i] == b[j]) continue;
      ((a[i] < a[j]) == (b[i] < b[j]) ? counts.concordant : counts.discordant) += 1;
    }
  }
  return counts;
}

TEST(RankCorrelation, CountsPairsAsTheDefinitionDoes) {
  RandomSequence random(CounterRandom(7, "rank correlation"));
  for (std::size_t n = 0; n < 40; ++n) {
    for (const std::uint64_t levels : {2, 5, 1000}) {
      Values a(n);
      Values b(n);
      for (double& x : a) x = static_cast<double>(random.below(levels));
      for (double& x : b) x = static_cast<double>(random.below(levels));
      EXPECT_EQ(count_pairs(a, b), count_by_definition(a, b)) << n << " " << levels;
    }
  }
}

// 1 2 3 4 against 1 3 2 2: pairs (1,2) (1,3) (1,4) concordant, (2,3) (2,4) discordant, (3,4) tied.
TEST(RankCorrelation, OfAHandComputedExample) {
  const Values a = {1, 2, 3, 4};
  const Values b = {1, 3, 2, 2};
  EXPECT_DOUBLE_EQ(kendall_tau_a(a, b), 1.0 / 6);
  EXPECT_DOUBLE_EQ(*kendall_tau_b(a, b), 1.0 / std::sqrt(6.0 * 5.0));
  // Ranks 1 2 3 4 and 1 4 2.5 2.5: sums of products 1.5, of squares 5 and 4.5.
  EXPECT_DOUBLE_EQ(*spearman(a, b), 1.5 / std::sqrt(5 * 4.5));
}

TEST(RankCorrelation, OfAnOrderWithItselfIsOneAndWithItsReverseMinusOne) {
  const Values up = {1, 2, 3, 4, 5};
  const Values down = {5, 4, 3, 2, 1};
  EXPECT_EQ(kendall_tau_a(up, up), 1);
  EXPECT_EQ(kendall_tau_a(up, down), -1);
  EXPECT_EQ(*kendall_tau_b(up, down), -1);
  EXPECT_DOUBLE_EQ(*spearman(up, down), -1);
}

TEST(RankCorrelation, OfAllTiedIsZeroOrNothing) {
  const Values up = {1, 2, 3};
  const Values tied = {4, 4, 4};
  EXPECT_EQ(kendall_tau_a(up, tied), 0);
  EXPECT_FALSE(kendall_tau_b(up, tied).has_value());
  EXPECT_FALSE(spearman(up, tied).has_value());
}

TEST(RankCorrelation, OfFewerThanTwoThingsIsOne) {
  EXPECT_EQ(kendall_tau_a({}, {}), 1);
  EXPECT_EQ(kendall_tau_a(Values{3}, Values{1}), 1);
}

TEST(RankCorrelation, EqualValuesShareTheMeanOfTheirRanks) {
  EXPECT_EQ(average_ranks(Values{10, 20, 10, 5}), (Values{2.5, 4, 2.5, 1}));
}

}  // namespace
}  // namespace glassrank
