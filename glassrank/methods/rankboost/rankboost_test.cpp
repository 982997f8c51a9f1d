#include "glassrank/methods/rankboost/rankboost.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// r of a test by the definition: over all pairs.
double r_by_pairs(const std::vector<float>& grades, const std::vector<double>& votes,
                  const std::vector<double>& root_weights, const std::vector<bool>& above) {
  double r = 0;
  double z = 0;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    for (std::size_t j = 0; j < grades.size(); ++j) {
      if (!(grades[i] > grades[j])) continue;
      const double weight = root_weights[i] * root_weights[j] * std::exp(votes[j] - votes[i]);
      z += weight;
      r += weight * (static_cast<double>(above[i]) - static_cast<double>(above[j]));
    }
  }
  return r / z;
}

TEST(RankBoost, PotentialsGiveTheRankersRWithoutPairs) {
  RandomSequence random(CounterRandom(3, "rankboost test"));
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 2 + random.below(12);
    std::vector<float> grades(n);
    std::vector<double> votes(n);
    std::vector<double> root_weights(n);
    std::vector<bool> above(n);
    for (std::size_t d = 0; d < n; ++d) {
      grades[d] = static_cast<float>(random.below(4));
      votes[d] = 3 * random.normal();
      root_weights[d] = std::sqrt(0.5 + random.uniform());
      above[d] = random.below(2) == 1;
    }
    grades[0] = 5;  // at least one pair
    PairPotentials sums{.potentials = std::vector<double>(n)};
    add_potentials(grades, votes, root_weights, 0, sums);
    double r = 0;
    for (std::size_t d = 0; d < n; ++d) r += above[d] ? sums.potentials[d] : 0;
    EXPECT_NEAR(r / sums.z, r_by_pairs(grades, votes, root_weights, above), 1e-12);
  }
}

TEST(RankBoost, FarVotesDoNotOverflow) {
  PairPotentials sums{.potentials = std::vector<double>(2)};
  add_potentials(std::vector<float>{1, 0}, std::vector<double>{1e4, 1e4 + 600},
                 std::vector<double>{1, 1}, 0, sums);
  EXPECT_TRUE(std::isfinite(sums.z));
  EXPECT_DOUBLE_EQ(sums.potentials[0], sums.z);
}

// From the greatest value 10 down in ten steps of 1; the lowest value 0 is below them all.
TEST(RankBoost, ThresholdsAreEqualStepsFromTheGreatestValue) {
  const std::vector<float> column = {0, 10, 3, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(rankboost_thresholds(column, 10), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(rankboost_thresholds(column, 0), (std::vector<float>{1.5F, 6.5F}));
  EXPECT_TRUE(rankboost_thresholds(std::vector<float>{2, 2}, 10).empty());
}

}  // namespace
}  // namespace glassrank
