#include "glassrank/methods/rankboost/rankboost.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/bin_test_data.h"
#include "testing/on_every_target.h"

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

// r of "feature above threshold" over the pairs of all queries.
double r_of_test(const Dataset& data, const std::vector<double>& votes, std::uint32_t feature,
                 float threshold) {
  double r = 0;
  double z = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      for (std::size_t j = rows.begin; j < rows.end; ++j) {
        if (!(data.grades()[i] > data.grades()[j])) continue;
        const double weight =
            std::sqrt(data.weight(i)) * std::sqrt(data.weight(j)) * std::exp(votes[j] - votes[i]);
        const bool i_above = data.features()(i, feature) > threshold;
        const bool j_above = data.features()(j, feature) > threshold;
        z += weight;
        r += weight * (static_cast<double>(i_above) - static_cast<double>(j_above));
      }
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
    std::vector<std::uint32_t> levels(n);
    for (std::size_t d = 0; d < n; ++d) levels[d] = static_cast<std::uint32_t>(grades[d]);
    std::vector<double> potentials(n);
    const double z = find_potentials(
        {.levels = levels, .num_levels = 6, .votes = votes, .root_weights = root_weights},
        potentials);
    double r = 0;
    for (std::size_t d = 0; d < n; ++d) r += above[d] ? potentials[d] : 0;
    EXPECT_NEAR(r / z, r_by_pairs(grades, votes, root_weights, above), 1e-12);
  }
}

TEST(RankBoost, FarVotesDoNotOverflow) {
  std::vector<double> potentials(2);
  const double z = find_potentials({.levels = std::vector<std::uint32_t>{1, 0},
                                    .num_levels = 2,
                                    .votes = std::vector<double>{1e4, 1e4 + 600},
                                    .root_weights = std::vector<double>{1, 1}},
                                   potentials);
  EXPECT_TRUE(std::isfinite(z));
  EXPECT_DOUBLE_EQ(potentials[0], z);
}

// The best test of all, by every pair: after votes, with weights, missing values and queries of one
// document, for any number of threads.
TEST_ON_EVERY_TARGET(RankBoost, TheBestTestIsThatOfAllPairs) {
  const Dataset data = test_data({.num_rows = 200, .num_features = 6});
  for (const int thresholds : {0, 10}) {
    PairedRows rows(data);
    const ThresholdCells cells = find_cells(data, rows.rows(), thresholds, {});
    std::vector<double> votes(data.num_rows(), 0.0);
    for (int round = 0; round < 4; ++round) {
      WeakRanker expected;
      for (std::uint32_t f = 0; f < data.num_features(); ++f) {
        for (std::size_t t = cells.thresholds[f].size(); t-- > 0;) {
          const double r = r_of_test(data, votes, f, cells.thresholds[f][t]);
          if (r > expected.r + 1e-12) {
            expected = {.feature = f, .threshold = static_cast<std::uint32_t>(t), .r = r};
          }
        }
      }
      for (const int threads : {1, 3}) {
        const Context context{.threads = std::make_shared<const Threads>(threads)};
        const WeakRanker found = best_ranker(cells, rows.potentials(), rows.z(), context);
        EXPECT_EQ(found.feature, expected.feature);
        EXPECT_EQ(found.threshold, expected.threshold);
        EXPECT_NEAR(found.r, expected.r, 1e-12);
      }
      const double alpha = 0.5 * std::log((1 + expected.r) / (1 - expected.r));
      rows.vote(cells.cells[expected.feature], expected.threshold, alpha, {});
      for (std::size_t r = 0; r < votes.size(); ++r) {
        const bool is_above = data.features()(r, expected.feature) >
                              cells.thresholds[expected.feature][expected.threshold];
        votes[r] += is_above ? alpha : 0;
      }
    }
  }
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
