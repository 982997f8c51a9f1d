#include "glassrank/explain/audit/similarity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

// Largest amounts on the features [begin, begin + 5) of 46, small ones that differ elsewhere.
Values peaks_at(std::size_t begin) {
  Values values(46);
  for (std::size_t f = 0; f < values.size(); ++f) {
    values[f] = (f >= begin && f < begin + 5 ? -10.0 : 0.1) - 0.001 * static_cast<double>(f);
  }
  return values;
}

TEST(TopkAuc, HasTheGridOfSixValuesForFiveOf46Features) {
  // m of 5 in common: (1 + m/5 - (5-m)/41) / 2
  const double expected[] = {0.4390, 0.5512, 0.6634, 0.7756, 0.8878, 1};
  for (std::size_t m = 0; m <= 5; ++m) {
    EXPECT_NEAR(topk_auc(peaks_at(0), peaks_at(5 - m), 5).value(), expected[m], 5e-5) << m;
  }
}

// The definition: the share of (true, false) pairs of features that the judge puts in the right
// order, ties a half.
TEST(TopkAuc, IsTheShareOfPairsOfFeaturesInTheRightOrder) {
  RandomSequence random(CounterRandom(3, "auc"));
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t num_features = 2 + random.below(9);
    const std::size_t k = 1 + random.below(num_features);
    Values truth(num_features);
    Values own(num_features);
    // Amounts all differ and none is 0, so the first k are those above the (k+1)-th largest.
    for (std::size_t f = 0; f < num_features; ++f) {
      truth[f] = random.normal();
      own[f] = random.normal();
    }
    const auto is_first = [&](const Values& values, std::size_t f) {
      const auto larger = std::count_if(values.begin(), values.end(), [&](double other) {
        return std::abs(other) > std::abs(values[f]);
      });
      return static_cast<std::size_t>(larger) < k;
    };
    double right = 0;
    double pairs = 0;
    for (std::size_t t = 0; t < num_features; ++t) {
      for (std::size_t n = 0; n < num_features; ++n) {
        if (!is_first(truth, t) || is_first(truth, n)) continue;
        pairs += 1;
        const int difference = int{is_first(own, t)} - int{is_first(own, n)};
        right += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
      }
    }
    const auto auc = topk_auc(truth, own, k);
    ASSERT_EQ(auc.has_value(), pairs > 0);
    if (auc.has_value()) {
      EXPECT_NEAR(*auc, right / pairs, 1e-12);
    }
  }
}

TEST(TopkAuc, LeavesPlacesEmptyWhereOnlyZerosAreLeft) {
  const Values truth = {0, 0, 0, 3, -2};  // two features of the first three
  const Values own = {1, 0, 0, 5, 0};     // feature 0 is wrong, 3 is right
  // |T| = 2: (1 + 1/2 - 1/3) / 2
  EXPECT_NEAR(topk_auc(truth, own, 3).value(), 7.0 / 12, 1e-12);
  // By index T = {3, 4, 0} and E = {0, 3, 1}: (1 + 2/3 - 1/2) / 2
  EXPECT_NEAR(topk_auc(truth, own, 3, ZeroPlaces::kByIndex).value(), 7.0 / 12, 1e-12);
  // K = 4: T = {3, 4, 0, 1}, E = {0, 3, 1, 2}: (1 + 3/4 - 1) / 2
  EXPECT_NEAR(topk_auc(truth, own, 4, ZeroPlaces::kByIndex).value(), 0.375, 1e-12);
}

TEST(TopkAuc, HasNoValueWhereTruthTellsNothingApart) {
  EXPECT_FALSE(topk_auc(Values{0, 0}, Values{1, 2}, 1));
  EXPECT_FALSE(topk_auc(Values{1, 2}, Values{1, 2}, 2));
  EXPECT_FALSE(topk_auc(Values{1, 2}, Values{1, 2}, 9));
  EXPECT_EQ(topk_auc(Values{1, 0}, Values{0, 0}, 1), 0.5);  // nothing named
}

TEST(AttributionSpearman, TellsOppositeSignsUnlessOnlyAmountsCount) {
  const Values truth = {3, 2, 1, 0};
  const Values own = {-3, -2, -1, 0};
  EXPECT_DOUBLE_EQ(attribution_spearman(truth, own).value(), -1);
  EXPECT_DOUBLE_EQ(attribution_spearman(truth, own, Signs::kAmount).value(), 1);
  EXPECT_FALSE(attribution_spearman(truth, Values{1, 1, 1, 1}));
  EXPECT_FALSE(attribution_spearman(truth, Values{1, -1, 1, -1}, Signs::kAmount));
}

TEST(EuclideanSimilarity, IsOneOverOnePlusTheDistance) {
  EXPECT_DOUBLE_EQ(euclidean_similarity(Values{1, 2}, Values{1, 2}), 1);
  EXPECT_DOUBLE_EQ(euclidean_similarity(Values{0, 0}, Values{3, 4}), 1.0 / 6);
}

// The worked example of the paper: four features share the path evenly, an explanation of zeros is
// 0.5 away.
TEST(EuclideanSimilarity, ComparesScalesUnlessBothSidesHaveLengthOne) {
  const Values truth = {0.25, 0.25, 0.25, 0.25, 0};
  EXPECT_DOUBLE_EQ(euclidean_similarity(truth, Values(5, 0.0)), 1 / 1.5);
  const Values tenfold = {2.5, 2.5, 2.5, 2.5, 0};
  EXPECT_DOUBLE_EQ(euclidean_similarity(truth, tenfold), 1 / (1 + 4.5));
  EXPECT_DOUBLE_EQ(euclidean_similarity(truth, tenfold, DistanceScale::kUnit), 1);
  EXPECT_DOUBLE_EQ(euclidean_similarity(truth, Values(5, 0.0), DistanceScale::kUnit), 0.5);
}

}  // namespace
}  // namespace glassrank
