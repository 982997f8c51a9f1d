#include "glassrank/methods/pairs/fast_pairs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::Gradients;
using testing::with_threads;

// One query; codes of a value v are as in the data: every distinct value its own bin.
BinnedDataset data_of(const std::vector<std::vector<float>>& rows) {
  DatasetParts parts;
  parts.features = Buffer<float>(rows.size() * rows.front().size());
  std::size_t at = 0;
  for (const std::vector<float>& row : rows) {
    for (const float value : row) parts.features[at++] = value;
    parts.grades.push_back(0);
  }
  parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{rows.size()});
  for (std::size_t f = 0; f < rows.front().size(); ++f) {
    parts.schema.add_feature(std::to_string(f + 1));
  }
  return bin_dataset(Dataset(std::move(parts)), {.min_bin_rows = 1}, with_threads(1));
}

// Sums over all rows for every cut of the coarse bins: the definition.
double slow_gain(const BinnedDataset& data, const Gradients& g, const RankedFeaturePair& pair,
                 const FastParams& params) {
  const Context context = with_threads(1);
  const auto max_bins = static_cast<std::size_t>(params.max_bins);
  const CoarseBins a = coarse_bins(data, pair.first, max_bins, context);
  const CoarseBins b = coarse_bins(data, pair.second, max_bins, context);
  double best = 0;
  double total = 0;
  for (const float h : g.hessian) total += h;
  for (std::size_t i = 0; i + 1 < a.num_bins; ++i) {
    for (std::size_t j = 0; j + 1 < b.num_bins; ++j) {
      double gradient[4] = {};
      double hessian[4] = {};
      std::int64_t count[4] = {};
      for (std::size_t row = 0; row < data.num_rows(); ++row) {
        const bool low_a = a.of_code[data.column(pair.first)[row]] <= i;
        const bool low_b = b.of_code[data.column(pair.second)[row]] <= j;
        const int q = (low_a ? 0 : 2) + (low_b ? 0 : 1);
        gradient[q] += g.gradient[row];
        hessian[q] += g.hessian[row];
        ++count[q];
      }
      double sum = 0;
      bool counts = true;
      for (int q = 0; q < 4; ++q) {
        counts = counts && count[q] >= params.min_leaf_rows && hessian[q] > 0;
        if (counts) sum += gradient[q] * gradient[q] / hessian[q];
      }
      if (counts) best = std::max(best, sum);
    }
  }
  return best / total;
}

TEST(FastPairs, GainIsThatOfTheBestQuadrants) {
  // x is 0 or 1, y is 0 or 1, two rows each; the residual is +1 where x == y and -1 elsewhere:
  // four quadrants of G = +-2, H = 2, so 4 * 4 / 2 = 8 over a total of 8.
  std::vector<std::vector<float>> rows;
  Gradients g;
  for (int i = 0; i < 8; ++i) {
    const int x = i % 2;
    const int y = i / 2 % 2;
    rows.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(i / 4)});
    g.gradient.push_back(x == y ? 1.0F : -1.0F);
    g.hessian.push_back(1);
  }
  const std::vector<RankedFeaturePair> ranked =
      rank_pairs_fast({data_of(rows), g.gradient, g.hessian}, {}, Context{});
  ASSERT_EQ(ranked.size(), 3U);
  EXPECT_EQ(ranked[0], (RankedFeaturePair{.first = 0, .second = 1, .statistic = 1}));
  // The third feature tells nothing: each of its quadrants holds a +1 and a -1. Equal gains are
  // in the order of the features.
  EXPECT_EQ(ranked[1], (RankedFeaturePair{.first = 0, .second = 2, .statistic = 0}));
  EXPECT_EQ(ranked[2], (RankedFeaturePair{.first = 1, .second = 2, .statistic = 0}));
}

TEST(FastPairs, AgreesWithSumsOverAllRows) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const BinnedDataset data =
        testing::make_binned({.num_queries = 12, .num_features = 7, .seed = seed});
    const Gradients g = testing::whole_gradients(data.num_rows(), seed);
    for (const FastParams& params :
         {FastParams{.max_bins = 6}, FastParams{.max_bins = 9, .min_leaf_rows = 20}}) {
      const auto ranked = rank_pairs_fast({data, g.gradient, g.hessian}, params, Context{});
      ASSERT_EQ(ranked.size(), 21U);
      EXPECT_TRUE(std::ranges::is_sorted(ranked, std::greater<>(), &RankedFeaturePair::statistic));
      EXPECT_GT(ranked.front().statistic, 0);
      for (const RankedFeaturePair& pair : ranked) {
        EXPECT_NEAR(pair.statistic, slow_gain(data, g, pair, params), 1e-12)
            << pair.first << " " << pair.second;
      }
    }
  }
}

TEST(FastPairs, CutsThatLeaveFewRowsDoNotCount) {
  const std::vector<std::vector<float>> rows = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const std::vector<float> gradients = {1, -1, -1, 1};
  const std::vector<float> hessians(4, 1);
  const BinnedDataset data = data_of(rows);
  EXPECT_EQ(
      rank_pairs_fast({data, gradients, hessians}, {.min_leaf_rows = 2}, Context{})[0].statistic,
      0);
  EXPECT_EQ(
      rank_pairs_fast({data, gradients, hessians}, {.min_leaf_rows = 1}, Context{})[0].statistic,
      1);
}

TEST(FastPairs, WithoutHessiansTheyAreOnes) {
  const BinnedDataset data = testing::make_binned({.num_queries = 12, .num_features = 7});
  const Gradients g = testing::whole_gradients(data.num_rows(), 1);
  const std::vector<float> ones(data.num_rows(), 1);
  const FastParams params{.max_bins = 9, .min_leaf_rows = 5};
  EXPECT_EQ(rank_pairs_fast({data, g.gradient, {}}, params, Context{}),
            rank_pairs_fast({data, g.gradient, ones}, params, Context{}));
}

TEST(FastPairs, RanksOnlyTheFeaturesAskedFor) {
  const BinnedDataset data = testing::make_binned({.num_queries = 8});
  const Gradients g = testing::whole_gradients(data.num_rows(), 1);
  const std::vector<std::uint32_t> features = {1, 4, 7};
  const auto all = rank_pairs_fast({data, g.gradient, g.hessian}, {}, Context{});
  const auto some = rank_pairs_fast({data, g.gradient, g.hessian, features}, {}, Context{});
  std::vector<RankedFeaturePair> expected;
  for (const RankedFeaturePair& pair : all) {
    const auto is_asked = [&](std::uint32_t f) {
      return std::ranges::find(features, f) != features.end();
    };
    if (is_asked(pair.first) && is_asked(pair.second)) expected.push_back(pair);
  }
  EXPECT_EQ(some, expected);
}

TEST(FastPairs, AreTheSameForAnyThreads) {
  const BinnedDataset data = testing::make_binned({});
  Gradients g;
  const CounterRandom random(3, "fast pairs");
  for (std::size_t i = 0; i < data.num_rows(); ++i) {
    g.gradient.push_back(static_cast<float>(random.normal(2 * i)));
    g.hessian.push_back(static_cast<float>(random.uniform(2 * i + 1)));
  }
  const auto one = rank_pairs_fast({data, g.gradient, g.hessian}, {}, with_threads(1));
  EXPECT_EQ(rank_pairs_fast({data, g.gradient, g.hessian}, {}, with_threads(2)), one);
  EXPECT_EQ(rank_pairs_fast({data, g.gradient, g.hessian}, {}, with_threads(4)), one);
}

TEST(FastPairs, RefusesWhatDoesNotFit) {
  const BinnedDataset data = data_of({{0, 0}, {1, 1}});
  const std::vector<float> two(2, 1);
  const std::vector<float> three(3, 1);
  const std::vector<std::uint32_t> beyond = {2};
  EXPECT_EQ(message_of([&] { rank_pairs_fast({data, three, two}, {}, Context{}); }),
            "3 gradients and 2 hessians for 2 rows");
  EXPECT_EQ(message_of([&] { rank_pairs_fast({data, two, two, beyond}, {}, Context{}); }),
            "feature 2 of data with 2 features");
  EXPECT_EQ(message_of([&] { rank_pairs_fast({data, two, two}, {.max_bins = 1}, Context{}); }),
            "a grid of 1 bins; must be 2 to 255");
}

TEST(CoarseBins, HoldAboutTheSameNumberOfRows) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({static_cast<float>(i)});
  const BinnedDataset data = data_of(rows);
  const CoarseBins coarse = coarse_bins(data, 0, 8, Context{});
  EXPECT_EQ(coarse.num_bins, 8U);
  std::vector<int> counts(8);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ++counts[coarse.of_code[data.column(0)[row]]];
  }
  EXPECT_EQ(counts, std::vector<int>(8, 25));
}

TEST(CoarseBins, AreTheBinsOfTheDataWhereThoseAreFew) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 50; ++i) rows.push_back({i < 48 ? 0.0F : static_cast<float>(i)});
  const BinnedDataset data = data_of(rows);  // 0 forty-eight times, then 48 and 49
  const CoarseBins coarse = coarse_bins(data, 0, 3, Context{});
  EXPECT_EQ(coarse.num_bins, 3U);
  EXPECT_EQ(coarse.of_code[0], 0);
  EXPECT_EQ(coarse.of_code[1], 1);
  EXPECT_EQ(coarse.of_code[2], 2);
}

TEST(CoarseBins, MissingValuesAreBelowAllOthers) {
  const BinnedDataset data = data_of({{NAN}, {1}, {2}, {3}});
  const CoarseBins coarse = coarse_bins(data, 0, 8, Context{});
  EXPECT_EQ(coarse.num_bins, 4U);
  EXPECT_EQ(coarse.of_code[data.missing_bin(0)], 0);
  EXPECT_EQ(coarse.of_code[data.column(0)[1]], 1);
}

}  // namespace
}  // namespace glassrank
