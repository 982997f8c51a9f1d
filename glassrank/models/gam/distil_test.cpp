#include "glassrank/models/gam/distil.h"

#include <limits>
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/message_of.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TreeNode node(std::uint32_t feature, float threshold, std::int32_t left, std::int32_t right) {
  return {.feature = feature, .threshold = threshold, .left = left, .right = right};
}

// The documented order: base score and one-leaf trees, then effect by effect.
double grouped_sum(const Forest& forest, std::span<const float> row) {
  double intercept = forest.base_score();
  std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, double> sums;
  for (const Tree& tree : forest.trees()) {
    std::set<std::uint32_t> used;
    for (const TreeNode& n : tree.nodes) used.insert(n.feature);
    const double value = tree.leaf_values[leaf_of(tree, row)];
    if (used.empty()) {
      intercept += value;
    } else {
      sums[{used.size(), {used.begin(), used.end()}}] += value;
    }
  }
  double sum = intercept;
  for (const auto& [effect, value] : sums) sum += value;
  return sum;
}

TEST(Distil, AddsTreesOfTheSameFeatures) {
  // f0 <= 1 ? 1 : 2, then f0 <= 2 ? 10 : 20 (missing goes left here), then one leaf of 100.
  Tree first{.nodes = {node(0, 1, ~0, ~1)}, .leaf_values = {1, 2}, .statistics = {}};
  Tree second{.nodes = {node(0, 2, ~0, ~1)}, .leaf_values = {10, 20}, .statistics = {}};
  second.nodes[0].missing_left = true;
  const Tree leaf{.nodes = {}, .leaf_values = {100}, .statistics = {}};
  const Gam gam = distil(Forest({.trees = {first, second, leaf},
                                 .num_features = 3,
                                 .feature_names = {"a", "b", "c"},
                                 .base_score = 0.5,
                                 .objective = "lambdarank"}));
  EXPECT_EQ(gam.intercept(), 100.5);
  EXPECT_EQ(gam.objective(), "lambdarank");
  EXPECT_EQ(gam.feature_names()[2], "c");
  ASSERT_EQ(gam.effects().size(), 1U);
  EXPECT_EQ(gam.effects()[0].axes[0].edges, (std::vector<float>{1, 2}));
  // x <= 1: 1 + 10; 1 < x <= 2: 2 + 10; x > 2: 2 + 20; missing: right in the first, left then.
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{11, 12, 22, 12}));
}

TEST(Distil, MakesASurfaceOfATreeWithTwoFeatures) {
  // f2 <= 5 ? (f0 <= 1 ? 1 : 2) : 3; missing values go right.
  const Tree tree{
      .nodes = {node(2, 5, 1, ~2), node(0, 1, ~0, ~1)}, .leaf_values = {1, 2, 3}, .statistics = {}};
  const Tree curve{.nodes = {node(2, 7, ~0, ~1)}, .leaf_values = {4, 5}, .statistics = {}};
  const Gam gam = distil(Forest({.trees = {tree, curve}, .num_features = 3}));
  ASSERT_EQ(gam.effects().size(), 2U);
  EXPECT_EQ(gam.effect_name(0), "feature 3");
  EXPECT_EQ(gam.effect_name(1), "feature 1 x feature 3");
  EXPECT_EQ(gam.effects()[0].axes[0].edges, (std::vector<float>{7}));  // of its own trees only
  EXPECT_EQ(gam.effects()[1].values, (std::vector<double>{1, 3, 3, 2, 3, 3, 2, 3, 3}));
}

TEST(Distil, NeedsNoFlagWhereZeroIsMissing) {
  Tree tree{.nodes = {node(0, 1, ~0, ~1)}, .leaf_values = {1, 2}, .statistics = {}};
  tree.nodes[0].zero_is_missing = true;  // zeros go right
  const Gam gam = distil(Forest({.trees = {tree}, .num_features = 1}));
  const auto score = [&](float x) { return gam.score(std::vector{x}); };
  EXPECT_EQ(score(0), 2);
  EXPECT_EQ(score(-1e-35F), 2);
  EXPECT_EQ(score(1e-35F), 2);
  EXPECT_EQ(score(std::nextafter(1e-35F, 1.0F)), 1);
  EXPECT_EQ(score(std::nextafter(-1e-35F, -1.0F)), 1);
  EXPECT_EQ(score(kNaN), 2);
  EXPECT_EQ(score(1), 1);
  EXPECT_EQ(score(1.5), 2);
}

TEST(Distil, LeavesOutTheThresholdNothingExceeds) {
  const Tree tree{.nodes = {node(0, kInfinity, ~0, ~1)}, .leaf_values = {1, 2}, .statistics = {}};
  const Gam gam = distil(Forest({.trees = {tree}, .num_features = 1}));
  EXPECT_TRUE(gam.effects()[0].axes[0].edges.empty());
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{1, 2}));
}

TEST(Distil, IsExactForEveryForestAndRow) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({.features_per_tree = 2});
    const Gam gam = distil(forest);
    for (int i = 0; i < 40; ++i) {
      std::vector<float> row = maker.row(forest);
      if (i % 8 == 0) row[0] = i % 16 == 0 ? kInfinity : -kInfinity;
      RC_ASSERT(gam.score(row) == grouped_sum(forest, row));
    }
  }));
}

TEST(Distil, NamesATreeOfThreeFeatures) {
  const Tree one{.nodes = {node(0, 1, ~0, ~1)}, .leaf_values = {1, 2}, .statistics = {}};
  const Tree three{.nodes = {node(2, 1, 1, ~0), node(1, 1, 2, ~1), node(0, 1, ~2, ~3)},
                   .leaf_values = {1, 2, 3, 4},
                   .statistics = {}};
  EXPECT_EQ(message_of([&] {
              distil(Forest({.trees = {one, three},
                             .num_features = 3,
                             .feature_names = {"price", "pages", "age"}}));
            }),
            "tree 1 uses price, pages and age; an additive model's trees use at most two features");
}

TEST(Distil, RefusesTablesTooLargeForMemory) {
  // A chain of 12,000 splits of either feature: 12,002^2 cells.
  Tree tree;
  constexpr std::int32_t kNodes = 24'000;
  for (std::int32_t n = 0; n < kNodes; ++n) {
    tree.nodes.push_back(node(static_cast<std::uint32_t>(n % 2), static_cast<float>(n), ~n,
                              n + 1 < kNodes ? n + 1 : ~kNodes));
    tree.leaf_values.push_back(0);
  }
  tree.leaf_values.push_back(0);
  EXPECT_EQ(message_of([&] { distil(Forest({.trees = {tree}, .num_features = 2})); }),
            "the tables up to feature 1 x feature 2 have 144048004 cells, more than the 134217728 "
            "supported");
}

Dataset four_rows(std::vector<float> weights) {
  DatasetParts parts;
  parts.features = Buffer<float>(8);
  parts.grades = {0, 1, 0, 1};
  parts.queries = QueryGroups({"1", "2"}, std::vector<std::size_t>{2, 2});
  parts.schema = Schema::of_features({"a", "b"});
  parts.weights = std::move(weights);
  std::ranges::copy(std::vector<float>{0, 0, 1, 0, 2, 0, kNaN, 0}, parts.features.data());
  return Dataset(std::move(parts));
}

Gam curve_gam() {
  GamEffect curve{
      .axes = {{.feature = 0, .edges = {1}}}, .values = {10, 20, 40}, .errors = {}, .weights = {}};
  return Gam({.effects = {curve}, .num_features = 2, .intercept = 1});
}

TEST(WithWeights, CountsRowsOrTheirWeights) {
  EXPECT_EQ(with_weights(curve_gam(), four_rows({})).effects()[0].weights,
            (std::vector<double>{2, 1, 1}));
  EXPECT_EQ(with_weights(curve_gam(), four_rows({1, 2, 4, 8})).effects()[0].weights,
            (std::vector<double>{3, 4, 8}));
  EXPECT_EQ(
      message_of([] { with_weights(Gam({.effects = {}, .num_features = 3}), four_rows({})); }),
      "data of 2 features for a model of 3");
}

TEST(WithWeights, CountsTheSameInBins) {
  // Cuts of feature a: the table's edge 1 and one more.
  const auto edges = std::make_shared<const BinEdges>(std::vector<std::uint64_t>{0, 2, 2},
                                                      std::vector<float>{1, 1.5F});
  for (const std::vector<float>& weights : {std::vector<float>{}, {1, 2, 4, 8}}) {
    const Dataset data = four_rows(weights);
    EXPECT_EQ(with_weights(curve_gam(), bin_with(data, edges, Context{})).effects()[0].weights,
              with_weights(curve_gam(), data).effects()[0].weights);
  }
}

TEST(Centred, MovesTheWeightedMeanToTheIntercept) {
  const Gam gam = centred(with_weights(curve_gam(), four_rows({})));
  // (2 * 10 + 20 + 40) / 4 = 20
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{-10, 0, 20}));
  EXPECT_EQ(gam.intercept(), 21);
  EXPECT_EQ(centred(curve_gam()).parts(), curve_gam().parts());  // weights are not known
}

}  // namespace
}  // namespace glassrank
