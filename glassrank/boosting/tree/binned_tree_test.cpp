#include "glassrank/boosting/tree/binned_tree.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "glassrank/boosting/tree/route_kernel.h"
#include "glassrank/boosting/tree/unsampled_rows.h"
#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

// A tree of random splits: each one divides a random leaf.
BinnedTree random_tree(const BinnedDataset& data, std::size_t num_leaves, std::uint64_t seed) {
  const CounterRandom random(seed, "random_tree");
  BinnedTree tree{.nodes = {}, .leaf_values = {random.normal(0)}};
  for (std::uint64_t leaf = 1; leaf < num_leaves; ++leaf) {
    const std::size_t divided = random.below(4 * leaf, leaf);
    const auto feature =
        static_cast<std::uint32_t>(random.below(4 * leaf + 1, data.num_features()));
    const auto node = static_cast<std::int32_t>(tree.nodes.size());
    for (BinnedNode& parent : tree.nodes) {
      for (std::int32_t* child : {&parent.left, &parent.right}) {
        if (*child == ~static_cast<std::int32_t>(divided)) *child = node;
      }
    }
    tree.nodes.push_back({.feature = feature,
                          .bin = static_cast<std::uint32_t>(
                              random.below(4 * leaf + 2, data.num_value_bins(feature))),
                          .missing_left = random.below(4 * leaf + 3, 2) == 1,
                          .left = ~static_cast<std::int32_t>(divided),
                          .right = ~static_cast<std::int32_t>(leaf)});
    tree.leaf_values.push_back(random.normal(leaf));
  }
  return tree;
}

TEST_ON_EVERY_TARGET(AddTreeScores, GivesEveryRowTheValueOfItsLeaf) {
  // 4,107 rows fill neither the last word nor the last block; 1,000 bins need two bytes.
  for (const int max_bins : {255, 1000}) {
    const BinnedDataset data =
        make_binned({.num_queries = 37, .query_size = 111, .max_bins = max_bins});
    for (const std::size_t num_leaves : {1, 2, 3, 64, 300}) {
      const BinnedTree tree = random_tree(data, num_leaves, num_leaves);
      for (const int threads : {1, 4}) {
        std::vector<double> scores(data.num_rows(), 0.5);
        add_tree_scores(tree, data, scores, with_threads(threads));
        for (std::size_t r = 0; r < data.num_rows(); ++r) {
          ASSERT_EQ(scores[r], 0.5 + binned_score(tree, data, r)) << num_leaves << " row " << r;
        }
      }
    }
  }
}

TEST_ON_EVERY_TARGET(ForestScores, AreTheBaseScoreAndTheTreesInTurn) {
  const BinnedDataset data = make_binned({.num_queries = 3});
  ForestParts parts{.num_features = data.num_features(), .base_score = 0.5};
  std::vector<double> expected(data.num_rows(), 0.5);
  for (const std::size_t num_leaves : {3, 7}) {
    const BinnedTree tree = random_tree(data, num_leaves, num_leaves);
    parts.trees.push_back({.nodes = to_tree_nodes(tree, data.edges()),
                           .leaf_values = tree.leaf_values,
                           .statistics = {}});
    add_tree_scores(tree, data, expected, with_threads(1));
  }
  EXPECT_EQ(forest_scores(Forest(std::move(parts)), data, with_threads(1)), expected);
}

TEST_ON_EVERY_TARGET(AddScoresOfOthers, GivesThemTheValueOfTheirLeafAndLeavesTheTakenAlone) {
  for (const int max_bins : {255, 1000}) {
    const BinnedDataset data =
        make_binned({.num_queries = 370, .query_size = 111, .max_bins = max_bins});
    const CounterRandom random(1, "taken");
    for (const std::uint64_t in_ten : {0, 1, 8, 10}) {
      std::vector<std::uint32_t> taken;
      for (std::uint32_t r = 0; r < data.num_rows(); ++r) {
        if (random.below(r, 10) < in_ten) taken.push_back(r);
      }
      const BinnedTree tree = random_tree(data, in_ten == 1 ? 1 : 100, in_ten);
      for (const int threads : {1, 4}) {
        std::vector<double> scores(data.num_rows(), 0.5);
        add_unsampled_scores(tree, data, taken, scores, with_threads(threads));
        for (std::uint32_t r = 0; r < data.num_rows(); ++r) {
          const bool is_taken = std::ranges::binary_search(taken, r);
          ASSERT_EQ(scores[r], is_taken ? 0.5 : 0.5 + binned_score(tree, data, r)) << r;
        }
      }
    }
  }
}

TEST_ON_EVERY_TARGET(AreFewOthers, CountsNodesAgainstDepth) {
  BinnedTree tree;
  tree.nodes.resize(399);  // 9 levels, each 64 times the cost of a node
  EXPECT_TRUE(are_few_unsampled(tree, 800, 1000));
  EXPECT_FALSE(are_few_unsampled(tree, 10, 1000));
  tree.nodes.resize(63);
  EXPECT_FALSE(are_few_unsampled(tree, 800, 1000));
}

TEST_ON_EVERY_TARGET(AddTreeScores, TakesNodesInAnyOrder) {
  const BinnedDataset data = make_binned({});
  // The root's left child comes last.
  const BinnedTree tree{
      .nodes = {{.feature = 0, .bin = 100, .left = 2, .right = 1},
                {.feature = 1, .bin = 50, .left = ~0, .right = ~1},
                {.feature = 5, .bin = 9, .missing_left = true, .left = ~3, .right = ~2}},
      .leaf_values = {1, 2, 3, 4}};
  std::vector<double> scores(data.num_rows());
  add_tree_scores(tree, data, scores, with_threads(1));
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    ASSERT_EQ(scores[r], binned_score(tree, data, r));
  }
}

TEST_ON_EVERY_TARGET(LabelRows, EqualsThePlainLoop) {
  const CounterRandom random(5, "label");
  std::vector<std::uint64_t> bits(15);
  for (std::size_t w = 0; w < bits.size(); ++w) bits[w] = w % 4 == 3 ? 0 : random.bits(w);
  std::vector<std::uint8_t> labels(15 * kWordRows, 7);
  std::vector<std::uint8_t> plain = labels;
  label_rows(bits, 42, labels.data());
  label_rows_plain(bits, 42, plain.data());
  EXPECT_EQ(labels, plain);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(plain[i], (bits[i / 64] >> (i % 64) & 1) != 0 ? 42 : 7);
  }
}

TEST_ON_EVERY_TARGET(RouteRows, EqualsThePlainLoop) {
  const BinnedDataset data = make_binned({});
  const CounterRandom random(4, "route");
  std::vector<std::uint64_t> reach(15);  // 15 * 64 <= 1000 rows, from row 0
  for (std::size_t w = 0; w < reach.size(); ++w) reach[w] = w % 4 == 3 ? 0 : random.bits(w);
  for (const std::uint32_t feature : {0U, 3U, 5U}) {
    const auto missing = static_cast<std::uint32_t>(data.missing_bin(feature));
    const auto bin = static_cast<std::uint32_t>(data.num_value_bins(feature) / 2);
    for (const std::uint32_t also : {bin, missing}) {
      const PartitionRule rule{.column = data.column(feature), .bin = bin, .also_left = also};
      std::vector<std::uint64_t> left(15), right(15), plain_left(15), plain_right(15);
      route_rows(rule, 0, reach, left.data(), right.data());
      route_rows_plain(rule, 0, reach, plain_left.data(), plain_right.data());
      EXPECT_EQ(left, plain_left);
      EXPECT_EQ(right, plain_right);
      for (std::size_t w = 0; w < 15; ++w) EXPECT_EQ(left[w] | right[w], reach[w]);
    }
  }
}

}  // namespace
}  // namespace glassrank
