#include "glassrank/explain/tree_shap/decision_path.h"

#include <numeric>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/shapley_oracle.h"

namespace glassrank {
namespace {

using testing::with_threads;

std::vector<double> values_of(const DecisionPaths& paths, const std::vector<float>& rows,
                              int threads = 1) {
  const std::size_t width = paths.num_features();
  std::vector<double> values(rows.size());
  paths.values({rows.data(), rows.size() / width, width},
               {values.data(), rows.size() / width, width}, with_threads(threads));
  return values;
}

// x0 <= 0: (x1 <= 0: 8 by 1 row, 4 by 3 rows), else 1 by 4 rows. Node values: 3, and 5 below.
Forest two_trees() {
  const Tree tree{.nodes = {{.feature = 0, .threshold = 0, .left = 1, .right = ~2},
                            {.feature = 1, .threshold = 0, .left = ~0, .right = ~1}},
                  .leaf_values = {8, 4, 1},
                  .statistics = {.leaf_count = {1, 3, 4}}};
  const Tree leaf{.nodes = {}, .leaf_values = {7}, .statistics = {}};
  return Forest({.trees = {tree, leaf}, .num_features = 2, .base_score = 100});
}

TEST(DecisionPaths, StepsAreCreditedToTheFeatureAsked) {
  const DecisionPaths paths(two_trees(), {});
  EXPECT_EQ(paths.base_value(), 100 + 3 + 7);
  EXPECT_EQ(values_of(paths, {-1, -1}), (std::vector<double>{5 - 3, 8 - 5}));
  EXPECT_EQ(values_of(paths, {-1, 1}), (std::vector<double>{2, -1}));
  EXPECT_EQ(values_of(paths, {1, 1}), (std::vector<double>{-2, 0}));
}

TEST(DecisionPaths, MeansAndTheLeafLeftOut) {
  const DecisionPaths mean(two_trees(), {.total = PathTotal::kMean});
  EXPECT_EQ(mean.base_value(), (3 + 7) / 2.0);
  EXPECT_EQ(values_of(mean, {-1, -1}), (std::vector<double>{1, 1.5}));
  const DecisionPaths inner(two_trees(), {.exclude_leaf = true});
  EXPECT_EQ(values_of(inner, {-1, -1}), (std::vector<double>{2, 0}));
  EXPECT_EQ(values_of(inner, {1, -1}), (std::vector<double>{0, 0}));
}

TEST(DecisionPaths, FrequencyIsTheShareOfDecisions) {
  const DecisionPaths paths(two_trees(),
                            {.measure = PathMeasure::kFrequency, .total = PathTotal::kMean});
  EXPECT_EQ(paths.base_value(), 0);
  EXPECT_EQ(values_of(paths, {-1, -1}), (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(values_of(paths, {1, -1}), (std::vector<double>{0.5, 0}));
}

TEST(DecisionPaths, AddUpToTheScoreForAnyThreads) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = with_random_cover(maker.forest({}), seed);
    std::vector<float> rows;
    for (int r = 0; r < 100; ++r) {
      const std::vector<float> row = maker.row(forest);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    const DecisionPaths paths(forest, {});
    const std::vector<double> values = values_of(paths, rows);
    EXPECT_EQ(values_of(paths, rows, 4), values);
    const std::size_t n = forest.num_features();
    for (std::size_t r = 0; r < 100; ++r) {
      const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(r * n),
                                         values.begin() + static_cast<std::ptrdiff_t>((r + 1) * n),
                                         paths.base_value());
      EXPECT_NEAR(sum, forest.score({rows.data() + r * n, n}), 1e-12);
    }
  }
}

TEST(DecisionPaths, FrequencyNeedsNoCoverAndContributionsDo) {
  const Tree tree{.nodes = {{.feature = 0, .threshold = 0, .left = ~0, .right = ~1}},
                  .leaf_values = {1, 2},
                  .statistics = {}};
  const Forest forest({.trees = {tree}, .num_features = 1});
  EXPECT_EQ(values_of(DecisionPaths(forest, {.measure = PathMeasure::kFrequency}), {3}),
            (std::vector<double>{1}));
  EXPECT_TRUE(message_of([&] {
                const DecisionPaths paths(forest, {});
              }).starts_with("the model does not know how many rows reached its leaves"));
}

TEST(DecisionPaths, SayWhatIsWrongWithRowsAndRoom) {
  const DecisionPaths paths(two_trees(), {});
  std::vector<float> rows(6);
  std::vector<double> out(12);
  EXPECT_EQ(
      message_of([&] { paths.values({rows.data(), 6, 1}, {out.data(), 6, 2}, with_threads(1)); }),
      "rows of 1 features for a model of 2");
  EXPECT_EQ(
      message_of([&] { paths.values({rows.data(), 3, 2}, {out.data(), 2, 2}, with_threads(1)); }),
      "room for 2 x 2 values where there are 3 x 2");
}

}  // namespace
}  // namespace glassrank
