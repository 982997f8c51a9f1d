#include "glassrank/explain/tree_shap/cover.h"

#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/tree_shap.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

using testing::with_threads;

Tree two_splits(TreeStatistics statistics) {
  return {.nodes = {{.feature = 0, .threshold = 0, .left = 1, .right = ~2},
                    {.feature = 1, .threshold = 0, .left = ~0, .right = ~1}},
          .leaf_values = {8, 4, 1},
          .statistics = std::move(statistics)};
}

Forest forest_with(TreeStatistics statistics) {
  return Forest({.trees = {two_splits(std::move(statistics))}, .num_features = 2});
}

TEST(Cover, SharesAreThoseOfTheLeavesBelow) {
  const Tree tree = two_splits({.leaf_count = {1, 3, 4}});
  const std::vector<NodeShares> shares = node_shares(tree, Cover::kCount);
  EXPECT_EQ(shares[0].left, 0.5);
  EXPECT_EQ(shares[0].right, 0.5);
  EXPECT_EQ(shares[1].left, 0.25);
  EXPECT_EQ(shares[1].right, 0.75);
  EXPECT_EQ(node_means(tree, shares), (std::vector<double>{3, 5}));
  EXPECT_EQ(tree_mean(tree, shares), 3);
}

TEST(Cover, OfNoRowsIsAHalfEachAndOfOneChildNothing) {
  const std::vector<NodeShares> shares =
      node_shares(two_splits({.leaf_weight = {0, 0, 4}}), Cover::kHessian);
  EXPECT_EQ(shares[0].left, 0);
  EXPECT_EQ(shares[0].right, 1);
  EXPECT_EQ(shares[1].left, 0.5);
  EXPECT_EQ(shares[1].right, 0.5);
}

TEST(Cover, AutoPrefersCounts) {
  const Forest both = forest_with({.leaf_weight = {1, 1, 1}, .leaf_count = {1, 3, 4}});
  EXPECT_EQ(resolve_cover(both, Cover::kAuto), Cover::kCount);
  EXPECT_EQ(resolve_cover(both, Cover::kHessian), Cover::kHessian);
  EXPECT_EQ(resolve_cover(forest_with({.leaf_weight = {1, 1, 1}}), Cover::kAuto), Cover::kHessian);
}

TEST(Cover, ThatIsNotKnownIsAnErrorWithTheWayOut) {
  EXPECT_EQ(
      message_of([] { resolve_cover(forest_with({.leaf_count = {1, 1, 1}}), Cover::kHessian); }),
      "the model does not know the hessians of its leaves; take cover count");
  EXPECT_EQ(
      message_of([] { resolve_cover(forest_with({.leaf_weight = {1, 1, 1}}), Cover::kCount); }),
      "the model does not know the counts of its leaves; take cover hessian");
  EXPECT_EQ(message_of([] { const TreeShap shap(forest_with({})); }),
            "the model does not know how many rows reached its leaves, so path-dependent values "
            "cannot be told; count the rows of a data set first (cover from data), or ask for "
            "interventional values with background rows");
  EXPECT_EQ(message_of([] { const TreeShap shap(forest_with({.leaf_weight = {1, -1, 1}})); }),
            "tree 0: leaf 1: cover -1; it must be finite and not negative");
}

TEST(Cover, FromDataCountsTheRowsOfEachLeaf) {
  const Dataset data = testing::data_of_values(8, 2, [](std::size_t row, std::size_t feature) {
    return (row >> feature & 1) != 0 ? 1.0 : -1.0;
  });
  const Forest counted = with_cover_from(forest_with({}), data, with_threads(2));
  const TreeStatistics& statistics = counted.trees()[0].statistics;
  EXPECT_EQ(statistics.leaf_count, (std::vector<std::uint64_t>{2, 2, 4}));
  EXPECT_EQ(statistics.node_count, (std::vector<std::uint64_t>{8, 4}));
  EXPECT_EQ(TreeShap(counted).base_value(), 3.5);
  EXPECT_EQ(message_of([&] {
              with_cover_from(Forest({.trees = {}, .num_features = 3}), data, with_threads(1));
            }),
            "cover from data of 2 features for a model of 3");
  EXPECT_EQ(message_of([&] { with_cover_from(counted, Dataset(), with_threads(1)); }),
            "cover from data: the data has no rows");
}

}  // namespace
}  // namespace glassrank
