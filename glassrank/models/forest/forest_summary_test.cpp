#include "glassrank/models/forest/forest_summary.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testing/random_forests.h"

namespace glassrank {
namespace {

// x3 <= 1 ? (x1 <= 0 ? 10 : 20) : 30.
Tree three_leaves() {
  return {.nodes = {{.feature = 3, .threshold = 1.0F, .left = 1, .right = ~2},
                    {.feature = 1, .threshold = 0.0F, .left = ~0, .right = ~1}},
          .leaf_values = {10, 20, 30},
          .statistics = {}};
}
Tree one_leaf() { return {.nodes = {}, .leaf_values = {5}, .statistics = {}}; }

// By recursion, straight from the definition.
std::size_t slow_depth(const Tree& tree, std::int32_t child) {
  if (child < 0 || tree.nodes.empty()) return 0;
  const TreeNode& node = tree.nodes[static_cast<std::size_t>(child)];
  return 1 + std::max(slow_depth(tree, node.left), slow_depth(tree, node.right));
}

TEST(ForestSummary, CountsTreesLeavesDepthsAndFeatures) {
  const Forest forest({.trees = {three_leaves(), one_leaf()}, .num_features = 5});
  const ForestSummary summary = summarise(forest);
  EXPECT_EQ(summary.num_trees, 2U);
  EXPECT_EQ(summary.num_leaves, 4U);
  EXPECT_EQ(summary.most_leaves, 3U);
  EXPECT_EQ(summary.depth, 2U);
  EXPECT_DOUBLE_EQ(summary.mean_leaf_depth, (2 + 2 + 1 + 0) / 4.0);
  EXPECT_EQ(summary.used, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(summary.unused, (std::vector<std::uint32_t>{0, 2, 4}));
}

TEST(ForestSummary, SaysWhatTheFileKnew) {
  Tree tree = three_leaves();
  EXPECT_FALSE(summarise(Forest({.trees = {tree}, .num_features = 4})).has_gains);
  EXPECT_FALSE(summarise(Forest({.trees = {tree}, .num_features = 4})).has_counts);
  tree.statistics.node_gain = {2, 1};
  tree.statistics.leaf_count = {1, 2, 3};
  // A tree without nodes has no gains to miss.
  const Forest known({.trees = {tree, one_leaf()}, .num_features = 4});
  EXPECT_TRUE(summarise(known).has_gains);
  EXPECT_TRUE(summarise(known).has_counts);
  EXPECT_FALSE(summarise(Forest({.trees = {tree, three_leaves()}, .num_features = 4})).has_gains);
}

TEST(ForestSummary, OfNoTreeIsZero) {
  const ForestSummary summary = summarise(Forest());
  EXPECT_EQ(summary.num_leaves, 0U);
  EXPECT_EQ(summary.mean_leaf_depth, 0.0);
}

TEST(LeafDepths, AgreeWithTheRecursiveDefinition) {
  rc::check([](std::uint64_t seed) {
    const Forest forest = ForestMaker(seed).forest({});
    for (const Tree& tree : forest.trees()) {
      RC_ASSERT(std::ranges::max(leaf_depths(tree)) == slow_depth(tree, 0));
    }
  });
}

}  // namespace
}  // namespace glassrank
