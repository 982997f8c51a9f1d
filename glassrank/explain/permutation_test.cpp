#include "glassrank/explain/permutation.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/metrics/bootstrap.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/gam_scorer.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

Dataset make_data(const std::vector<std::vector<float>>& rows, std::vector<float> grades,
                  const std::vector<std::size_t>& sizes) {
  DatasetParts parts;
  const std::size_t width = rows.front().size();
  parts.features = Buffer<float>(rows.size() * width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r], parts.features.data() + r * width);
  }
  parts.grades = std::move(grades);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < sizes.size(); ++q) ids.push_back(fmt::format("{}", q));
  parts.queries = QueryGroups(ids, sizes);
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

// Queries of 1 to 40 documents, rows as the model's thresholds provoke them.
template <typename Maker, typename Body>
Dataset random_data(Maker& maker, const Body& body, std::size_t num_queries) {
  RandomSequence random(CounterRandom(7, "grades"));
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < num_queries; ++q) {
    sizes.push_back(1 + random.below(40));
    for (std::size_t i = 0; i < sizes.back(); ++i) {
      rows.push_back(maker.row(body));
      grades.push_back(static_cast<float>(q % 7 == 0 ? 0 : random.below(4)));
    }
  }
  return make_data(rows, std::move(grades), sizes);
}

// A forest that splits, at its third try or so.
Forest some_forest(ForestMaker& maker) {
  for (;;) {
    Forest forest = maker.forest({});
    if (forest.trees().size() > 2 && forest.num_features() > 3) return forest;
  }
}

// One matrix a permutation, rows scored one by one.
template <typename Body>
std::vector<double> slow_values(const Body& body, const Dataset& data, std::size_t feature,
                                const std::vector<float>& column) {
  std::vector<double> scores;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::vector<float> row(data.row(r).begin(), data.row(r).end());
    if (!column.empty()) row[feature] = column[r];
    scores.push_back(body.score(row));
  }
  return evaluate(DatasetLists(data, scores), std::vector{parse_metric("ndcg@10")}, {}, {})
      .metrics.front()
      .values;
}

// x0 <= 0.5 ? 0 : 1.
Forest stump(std::size_t num_features) {
  return Forest({.trees = {{.nodes = {{.feature = 0, .threshold = 0.5F, .left = ~0, .right = ~1}},
                            .leaf_values = {0, 1}}},
                 .num_features = num_features});
}

TEST(PermutationImportance, IsTheShareOfSwapsTimesWhatASwapCosts) {
  // Two documents: as they are NDCG is 1, swapped 1 / log2(3) = 0.6309.
  const Dataset data = make_data({{1}, {0}}, {1, 0}, {2});
  const PermutationParams params{.repeats = 9};
  int swaps = 0;
  for (std::size_t r = 0; r < 9; ++r) {
    swaps += permuted_column(data, 0, r, PermuteOver::kAll, 3) == std::vector<float>{0, 1};
  }
  ASSERT_GT(swaps, 0);
  ASSERT_LT(swaps, 9);
  const PermutationResult result =
      permutation_importance(ForestScorer(stump(1)), data, params, {}, {.seed = 3});
  EXPECT_EQ(result.value, 1.0);
  EXPECT_NEAR(result.features[0].mean, swaps * (1 - 1 / std::log2(3.0)) / 9, 1e-15);
  // One query: every resample is the same.
  EXPECT_NEAR(result.features[0].interval.low, result.features[0].mean, 1e-15);
  // The repeats are `swaps` times 0.6309 and 9 - swaps times 1: n p (1 - p) / (n - 1) d^2.
  const double p = swaps / 9.0;
  EXPECT_NEAR(result.features[0].spread, std::sqrt(9 * p * (1 - p) / 8) * (1 - 1 / std::log2(3.0)),
              1e-12);
}

// Every feature, used or not, by its definition.
template <typename Body>
void expect_slow_importance(const Body& body, const Scorer& scorer, const Dataset& data,
                            const PermutationParams& params) {
  const Context context{.seed = 5};
  const PermutationResult fast = permutation_importance(scorer, data, params, {}, context);
  const std::vector<double> base = slow_values(body, data, 0, {});
  EXPECT_EQ(fast.value, mean_of(base));
  EXPECT_EQ(fast.num_queries, data.num_queries());
  double largest = 0;
  for (std::size_t f = 0; f < body.num_features(); ++f) {
    std::vector<double> drops(base.size());
    for (int r = 0; r < params.repeats; ++r) {
      const auto column = permuted_column(data, f, static_cast<std::size_t>(r), params.permute, 5);
      const auto values = slow_values(body, data, f, column);
      for (std::size_t q = 0; q < drops.size(); ++q) {
        drops[q] += (base[q] - values[q]) / params.repeats;
      }
    }
    largest = std::max(largest, std::abs(mean_of(drops)));
    EXPECT_NEAR(fast.features[f].mean, mean_of(drops), 1e-12) << f;
    const Interval interval =
        BootstrapMeans(std::span(&drops, 1), params.resamples, context).mean_interval(0);
    EXPECT_NEAR(fast.features[f].interval.low, interval.low, 1e-12) << f;
    EXPECT_NEAR(fast.features[f].interval.high, interval.high, 1e-12) << f;
  }
  EXPECT_GT(largest, 0.001);
}

TEST(PermutationImportance, AgreesWithScoringEveryPermutedMatrix) {
  for (const PermuteOver permute : {PermuteOver::kAll, PermuteOver::kQuery}) {
    ForestMaker maker(11);
    const Forest forest = some_forest(maker);
    const Dataset data = random_data(maker, forest, 70);
    expect_slow_importance(forest, ForestScorer(forest), data,
                           {.permute = permute, .repeats = 3, .resamples = 200});
  }
}

TEST(PermutationImportance, OfAnAdditiveModelAgreesToo) {
  for (const std::uint64_t seed : {3, 4, 5, 6}) {
    GamMaker maker(seed);
    Gam gam;
    while (gam.effects().size() < 3) gam = maker.gam({});
    const Dataset data = random_data(maker, gam, 40);
    expect_slow_importance(gam, GamScorer(gam), data, {.repeats = 2, .resamples = 50});
  }
}

// A black box: all rows in one call, one call at a time, and nothing known of what it uses.
TEST(PermutationImportance, OfAFunctionIsThatOfTheModelBehindIt) {
  ForestMaker maker(11);
  const Forest forest = some_forest(maker);
  const Dataset data = random_data(maker, forest, 30);
  const auto function = make_function_scorer(
      forest.num_features(), [&](MatrixView<const float> rows, std::span<double> scores) {
        EXPECT_EQ(rows.num_rows(), data.num_rows());
        ForestScorer(forest).score(rows, scores, {});
      });
  const PermutationParams params{.repeats = 3, .resamples = 100};
  const PermutationResult found = permutation_importance(*function, data, params, {}, {.seed = 5});
  const PermutationResult direct =
      permutation_importance(ForestScorer(forest), data, params, {}, {.seed = 5});
  for (std::size_t f = 0; f < forest.num_features(); ++f) {
    EXPECT_EQ(found.features[f].mean, direct.features[f].mean);
    EXPECT_EQ(found.features[f].interval.low, direct.features[f].interval.low);
    EXPECT_EQ(found.features[f].spread, direct.features[f].spread);
  }
}

TEST(PermutationImportance, IsTheSameForAnyNumberOfThreads) {
  ForestMaker maker(23);
  const Forest forest = some_forest(maker);
  const Dataset data = random_data(maker, forest, 50);
  std::vector<PermutationResult> results;
  for (const int threads : {1, 2, 4}) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    results.push_back(
        permutation_importance(ForestScorer(forest), data, {.resamples = 100}, {}, context));
  }
  double largest = 0;
  for (std::size_t f = 0; f < forest.num_features(); ++f) {
    largest = std::max(largest, std::abs(results[0].features[f].mean));
    for (const PermutationResult& other : results) {
      EXPECT_EQ(results[0].features[f].mean, other.features[f].mean);
      EXPECT_EQ(results[0].features[f].interval.low, other.features[f].interval.low);
      EXPECT_EQ(results[0].features[f].interval.high, other.features[f].interval.high);
      EXPECT_EQ(results[0].features[f].spread, other.features[f].spread);
    }
  }
  EXPECT_GT(largest, 0);
}

TEST(PermutationImportance, OfAFeatureTheModelDoesNotUseIsZero) {
  const Dataset data = make_data({{1, 4}, {0, 9}, {1, 2}}, {1, 0, 0}, {2, 1});
  const PermutationResult result = permutation_importance(ForestScorer(stump(2)), data, {}, {}, {});
  EXPECT_EQ(result.features[1].mean, 0.0);
  EXPECT_EQ(result.features[1].interval.low, 0.0);
  EXPECT_EQ(result.features[1].interval.high, 0.0);
}

TEST(PermutationImportance, WithinQueriesOfAFeatureOfTheQueryIsZero) {
  // Column 0 is one value per query.
  const Dataset data = make_data({{1}, {1}, {0}, {0}}, {0, 1, 0, 1}, {2, 2});
  const auto drop = [&](PermuteOver permute) {
    return permutation_importance(ForestScorer(stump(1)), data, {.permute = permute, .repeats = 20},
                                  {}, {})
        .features[0]
        .mean;
  };
  EXPECT_EQ(drop(PermuteOver::kQuery), 0.0);
  EXPECT_NE(drop(PermuteOver::kAll), 0.0);
}

TEST(PermutationImportance, LeavesOutQueriesWithoutAValue) {
  const Dataset data = make_data({{1}, {0}, {1}, {0}}, {1, 0, 0, 0}, {2, 2});
  Convention convention;
  convention.empty.skip = true;
  const PermutationResult result =
      permutation_importance(ForestScorer(stump(1)), data, {}, convention, {});
  EXPECT_EQ(result.num_queries, 1U);
  EXPECT_EQ(result.num_skipped, 1U);
  EXPECT_EQ(result.value, 1.0);
}

TEST(PermutationImportance, RefusesWhatItCannotMeasure) {
  const Dataset data = make_data({{1}, {0}}, {0, 0}, {2});
  Convention convention;
  convention.empty.skip = true;
  EXPECT_EQ(
      message_of([&] { permutation_importance(ForestScorer(stump(1)), data, {}, convention, {}); }),
      "ndcg@10: no query of the data counts, so there is nothing to lose");
  EXPECT_EQ(message_of([&] {
              permutation_importance(ForestScorer(stump(1)), data, {.repeats = 0}, {}, {});
            }),
            "repeats = 0 is out of range; it must be 1 <= x <= 1000000");
  EXPECT_EQ(message_of([&] { permutation_importance(ForestScorer(stump(2)), data, {}, {}, {}); }),
            "rows of 1 features for a model of 2");
  EXPECT_EQ(message_of([&] {
              permutation_importance(ForestScorer(stump(1)), data, {.metric = "ndgc"}, {}, {});
            }),
            "unknown metric 'ndgc'; did you mean 'ndcg'?");
}

TEST(PermutationImportance, OfAModelWithoutSplitsIsZeroEverywhere) {
  const Forest constant({.trees = {{.nodes = {}, .leaf_values = {1}}}, .num_features = 1});
  const PermutationResult result = permutation_importance(
      ForestScorer(constant), make_data({{1}, {0}}, {1, 0}, {2}), {}, {}, {});
  EXPECT_EQ(result.features[0].mean, 0.0);
  EXPECT_EQ(result.value, 1.0);
}

TEST(PermutedColumn, IsAPermutationThatDependsOnRepeatAndSeedOnly) {
  std::vector<std::vector<float>> rows;
  for (int r = 0; r < 100; ++r) rows.push_back({static_cast<float>(r)});
  const Dataset data = make_data(rows, std::vector<float>(100), {30, 70});
  const auto column = [&](std::size_t repeat, PermuteOver permute, std::uint64_t seed) {
    return permuted_column(data, 0, repeat, permute, seed);
  };
  std::vector<float> sorted = column(0, PermuteOver::kAll, 1);
  EXPECT_FALSE(std::ranges::is_sorted(sorted));
  EXPECT_TRUE(
      std::ranges::any_of(sorted.begin(), sorted.begin() + 30, [](float v) { return v >= 30; }));
  std::ranges::sort(sorted);
  for (int r = 0; r < 100; ++r) EXPECT_EQ(sorted[r], static_cast<float>(r));
  EXPECT_NE(column(0, PermuteOver::kAll, 1), column(1, PermuteOver::kAll, 1));
  EXPECT_NE(column(0, PermuteOver::kAll, 1), column(0, PermuteOver::kAll, 2));
  EXPECT_EQ(column(0, PermuteOver::kAll, 1), column(0, PermuteOver::kAll, 1));
  const std::vector<float> within = column(0, PermuteOver::kQuery, 1);
  EXPECT_FALSE(std::is_sorted(within.begin(), within.begin() + 30));
  EXPECT_TRUE(std::all_of(within.begin(), within.begin() + 30, [](float v) { return v < 30; }));
}

}  // namespace
}  // namespace glassrank
