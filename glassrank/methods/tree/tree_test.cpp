#include "glassrank/methods/tree/tree.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/methods/registry.h"
#include "testing/bin_test_data.h"
#include "testing/model_bodies.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

Tree tree_of(const TreeParams& params, const Dataset& data) {
  const Forest forest = forest_of(testing::train(*make_tree(params), data, nullptr).model);
  EXPECT_EQ(forest.trees().size(), 1U);
  Tree tree = forest.trees().front();
  for (double& value : tree.leaf_values) value += forest.base_score();
  return tree;
}

std::vector<std::size_t> rows_by_leaf(const Tree& tree, const Dataset& data) {
  std::vector<std::size_t> counts(tree.num_leaves(), 0);
  for (std::size_t r = 0; r < data.num_rows(); ++r) ++counts[leaf_of(tree, data.row(r))];
  return counts;
}

TEST(RegressionTree, LeavesAreMeanGradesByWeight) {
  const Dataset data = test_data({.num_rows = 500, .num_features = 6});
  const Tree tree = tree_of({.min_split = 0.02, .min_leaf = 0.01}, data);
  EXPECT_GT(tree.num_leaves(), 4U);
  std::vector<double> sums(tree.num_leaves(), 0.0);
  std::vector<double> weights(tree.num_leaves(), 0.0);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    const std::size_t leaf = leaf_of(tree, data.row(r));
    sums[leaf] += data.weight(r) * data.grades()[r];
    weights[leaf] += data.weight(r);
  }
  for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
    EXPECT_NEAR(tree.leaf_values[leaf], sums[leaf] / weights[leaf], 1e-5);
  }
}

// 500 rows: a leaf of at least ceil(0.101 * 500) = 51.
TEST(RegressionTree, LeavesHaveTheirShareOfTheRows) {
  const Dataset data = test_data({.num_rows = 500, .num_features = 6});
  const Tree tree = tree_of({.max_depth = 0, .min_split = 0, .min_leaf = 0.101}, data);
  EXPECT_GT(tree.num_leaves(), 2U);
  for (const std::size_t rows : rows_by_leaf(tree, data)) EXPECT_GE(rows, 51U);
}

TEST(RegressionTree, NodesBelowTheirShareAreNotDivided) {
  const Dataset data = test_data({.num_rows = 500, .num_features = 6});
  EXPECT_EQ(tree_of({.max_depth = 0, .min_split = 1, .min_leaf = 0.01}, data).num_leaves(), 2U);
  EXPECT_GT(tree_of({.max_depth = 0, .min_split = 0.5, .min_leaf = 0.01}, data).num_leaves(), 2U);
}

// Of every cut of every feature, the first split is the one that lowers the squared error most.
TEST(RegressionTree, FirstSplitIsTheBestOfAll) {
  const Dataset data = test_data(
      {.num_rows = 200, .num_features = 4, .with_missing = false, .with_ids_and_weights = false});
  const auto error_of = [&](auto&& is_left) {
    double sum[2] = {};
    double squares = 0;
    double count[2] = {};
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      const int side = is_left(data.row(r)) ? 0 : 1;
      sum[side] += data.grades()[r];
      squares += data.grades()[r] * data.grades()[r];
      ++count[side];
    }
    if (count[0] < 20 || count[1] < 20) return squares;
    return squares - sum[0] * sum[0] / count[0] - sum[1] * sum[1] / count[1];
  };
  double least = error_of([](auto) { return true; });
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      const float limit = data.row(r)[f];
      least = std::min(least, error_of([&](auto row) { return row[f] <= limit; }));
    }
  }
  const Tree tree = tree_of({.max_depth = 1, .min_split = 0, .min_leaf = 0.1}, data);
  ASSERT_EQ(tree.num_leaves(), 2U);
  EXPECT_NEAR(error_of([&](auto row) { return leaf_of(tree, row) == 0; }), least, 1e-9);
}

}  // namespace
}  // namespace glassrank
