#include "glassrank/boosting/tree/tree_grower.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/booster_params.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

struct Grown {
  GrownTree tree;
  std::vector<double> leaf_of_row;
};

Grown grow(const BinnedDataset& data, const GrowerRules& rules, const Context& context,
           std::uint64_t seed = 1) {
  const testing::Gradients g = testing::whole_gradients(data.num_rows(), seed);
  BoostingTimes times;
  const BoosterParams params{.num_leaves = static_cast<int>(rules.num_leaves),
                             .precision = Precision::kFull};
  const auto backend = make_tree_backend({.data = data, .times = times}, params, context);
  TreeGrower grower(data, rules, *backend, context);
  Grown grown{.tree = grower.grow({g.gradient, g.hessian, 0}),
              .leaf_of_row = std::vector<double>(data.num_rows())};
  BinnedTree tree{.nodes = grown.tree.nodes, .leaf_values = {}};
  for (std::size_t leaf = 0; leaf < grown.tree.leaves.size(); ++leaf) {
    tree.leaf_values.push_back(static_cast<double>(leaf));
  }
  backend->add_tree(tree, grown.leaf_of_row);
  return grown;
}

std::size_t depth_of(const GrownTree& tree, std::int32_t at) {
  if (at < 0) return 0;
  const BinnedNode& node = tree.nodes[static_cast<std::size_t>(at)];
  return 1 + std::max(depth_of(tree, node.left), depth_of(tree, node.right));
}

TEST(TreeGrower, PutsEveryRowIntoTheLeafItsTreeSays) {
  const BinnedDataset data = make_binned({});
  const Grown grown = grow(data, {.num_leaves = 12}, with_threads(2));
  ASSERT_EQ(grown.tree.leaves.size(), 12U);
  BinnedTree tree{.nodes = grown.tree.nodes, .leaf_values = {}};
  for (std::size_t leaf = 0; leaf < 12; ++leaf) {
    tree.leaf_values.push_back(static_cast<double>(leaf));
  }
  std::vector<std::uint64_t> counts(12);
  for (std::size_t row = 0; row < data.num_rows(); ++row) {
    EXPECT_EQ(grown.leaf_of_row[row], binned_score(tree, data, row));
    ++counts[static_cast<std::size_t>(grown.leaf_of_row[row])];
  }
  for (std::size_t leaf = 0; leaf < 12; ++leaf) {
    EXPECT_GE(counts[leaf], 20U);
    EXPECT_EQ(counts[leaf], grown.tree.leaves[leaf].num_rows);
  }
}

TEST(TreeGrower, KeepsMaxDepthAndStopsAtOneLeaf) {
  const BinnedDataset data = make_binned({});
  const Grown grown = grow(data, {.num_leaves = 31, .max_depth = 2}, with_threads(1));
  EXPECT_EQ(depth_of(grown.tree, 0), 2U);
  EXPECT_EQ(grown.tree.leaves.size(), 4U);
  EXPECT_TRUE(grow(data, {.num_leaves = 1}, with_threads(1)).tree.nodes.empty());
}

// Depths of the nodes in the order they were made.
std::vector<std::size_t> node_depths(const GrownTree& tree) {
  std::vector<std::size_t> depths(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    for (const std::int32_t child : {tree.nodes[n].left, tree.nodes[n].right}) {
      if (child >= 0) depths[static_cast<std::size_t>(child)] = depths[n] + 1;
    }
  }
  return depths;
}

TEST(TreeGrower, DepthWiseFinishesALevelBeforeTheNext) {
  const BinnedDataset data = make_binned({});
  const auto depths = [&](Growth growth) {
    return node_depths(grow(data, {.num_leaves = 20, .growth = growth}, with_threads(1)).tree);
  };
  EXPECT_TRUE(std::ranges::is_sorted(depths(Growth::kDepthWise)));
  EXPECT_FALSE(std::ranges::is_sorted(depths(Growth::kLeafWise)));
}

TEST(TreeGrower, InteractionSetsHoldOnEveryBranch) {
  const BinnedDataset data = make_binned({});
  const InteractionSets sets({{0, 1}, {2, 3, 4}}, data.num_features());
  const Grown grown = grow(data, {.num_leaves = 31, .constraint = &sets}, with_threads(1));
  ASSERT_GT(grown.tree.nodes.size(), 5U);
  for (const BinnedNode& node : grown.tree.nodes) {
    for (const std::int32_t child : {node.left, node.right}) {
      if (child < 0) continue;
      const std::uint32_t other = grown.tree.nodes[static_cast<std::size_t>(child)].feature;
      EXPECT_EQ(node.feature < 2, other < 2);
      EXPECT_LT(other, 5U);
    }
  }
}

TEST(TreeGrower, TreeFeatureSetsHoldForTheWholeTree) {
  const BinnedDataset data = make_binned({});
  const TreeFeatureSets sets({{0, 1}, {1, 2}, {4}, {5, 7}}, data.num_features());
  for (std::uint64_t seed = 1; seed < 8; ++seed) {
    const Grown grown = grow(data, {.num_leaves = 20, .constraint = &sets}, with_threads(1), seed);
    std::set<std::uint32_t> used;
    for (const BinnedNode& node : grown.tree.nodes) used.insert(node.feature);
    EXPECT_GT(grown.tree.nodes.size(), 5U);
    bool inside = false;
    for (const std::set<std::uint32_t>& set :
         std::vector<std::set<std::uint32_t>>{{0, 1}, {1, 2}, {4}, {5, 7}}) {
      inside |= std::ranges::includes(set, used);
    }
    EXPECT_TRUE(inside);
  }
}

TEST(TreeGrower, DistinctFeaturesAreSplitOnOnce) {
  const BinnedDataset data = make_binned({});
  const DistinctFeatures once({7, 0, 1, 4}, data.num_features());
  for (std::uint64_t seed = 1; seed < 8; ++seed) {
    const Grown grown = grow(data, {.num_leaves = 20, .constraint = &once}, with_threads(1), seed);
    std::vector<std::uint32_t> used;
    for (const BinnedNode& node : grown.tree.nodes) used.push_back(node.feature);
    std::ranges::sort(used);
    EXPECT_EQ(used, (std::vector<std::uint32_t>{0, 1, 4, 7}));
  }
}

TEST(TreeGrower, FeatureFractionLimitsTheFeaturesOfATree) {
  const BinnedDataset data = make_binned({});
  const Grown grown = grow(data, {.num_leaves = 31, .feature_fraction = 0.25}, with_threads(1));
  std::set<std::uint32_t> used;
  for (const BinnedNode& node : grown.tree.nodes) used.insert(node.feature);
  EXPECT_EQ(used.size(), 2U);  // ceil(0.25 * 7): one of the 8 is constant
}

TEST(FeatureSets, SayWhatIsWrong) {
  const auto message = [](FeatureSets sets) {
    try {
      const InteractionSets made(std::move(sets), 3);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}), "feature sets: at least one is needed");
  EXPECT_EQ(message({{1}, {}}), "feature set 1 is empty");
  EXPECT_EQ(message({{1, 3}}), "feature set 0: feature 3 of data with 3 features");
}

}  // namespace
}  // namespace glassrank
