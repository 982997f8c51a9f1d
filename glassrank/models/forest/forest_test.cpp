#include "glassrank/models/forest/forest.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x0 <= 1 ? (x1 <= 0 ? 10 : 20) : 30; NaN in x0 goes right, in x1 left.
Tree small_tree() {
  return {
      .nodes = {{.feature = 0, .threshold = 1.0F, .left = 1, .right = ~2},
                {.feature = 1, .threshold = 0.0F, .left = ~0, .right = ~1, .missing_left = true}},
      .leaf_values = {10, 20, 30},
      .statistics = {}};
}

TEST(Tree, SendsRowsToTheirLeaf) {
  const Tree tree = small_tree();
  EXPECT_EQ(leaf_of(tree, std::array{1.0F, 0.0F}), 0U);  // equal goes left
  EXPECT_EQ(leaf_of(tree, std::array{1.0F, 0.1F}), 1U);
  EXPECT_EQ(leaf_of(tree, std::array{1.1F, 0.0F}), 2U);
  EXPECT_EQ(leaf_of(tree, std::array{kNan, 0.0F}), 2U);
  EXPECT_EQ(leaf_of(tree, std::array{0.0F, kNan}), 0U);
  EXPECT_EQ(leaf_of(tree, std::array{0.0F}), 0U);  // beyond the row: missing
}

TEST(Tree, TreatsZeroAsMissingOnlyWhereToldSo) {
  TreeNode node{.threshold = -1.0F, .missing_left = true, .zero_is_missing = true};
  EXPECT_TRUE(goes_left(node, 0.0F));
  EXPECT_TRUE(goes_left(node, -1e-36F));
  EXPECT_FALSE(goes_left(node, 1e-30F));
  node.zero_is_missing = false;
  EXPECT_FALSE(goes_left(node, 0.0F));
}

TEST(Tree, RefusesWhatIsNoTree) {
  const auto broken = [](const std::function<void(Tree&)>& change) {
    Tree tree = small_tree();
    change(tree);
    return message_of([&] { validate(tree, 2); });
  };
  EXPECT_EQ(broken([](Tree&) {}), "no error");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[1].right = 7; }),
            "node 1: child node 7 is beyond the 2 there are");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[1].right = ~5; }),
            "node 1: child leaf 5 is beyond the 3 there are");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[1].right = 0; }),
            "node 1: child node 0 is already the child of another node or its own ancestor");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[1].right = ~0; }),
            "node 1: child leaf 0 is already the child of another node or its own ancestor");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[0].threshold = kNan; }), "node 0: threshold is NaN");
  EXPECT_EQ(broken([](Tree& t) { t.nodes[1].feature = 2; }),
            "node 1: feature 2 of a model with 2 features");
  EXPECT_EQ(broken([](Tree& t) { t.leaf_values.pop_back(); }),
            "2 leaves for 2 nodes; there must be one more leaf than nodes");
  EXPECT_EQ(broken([](Tree& t) { t.leaf_values[1] = HUGE_VAL; }),
            "leaf 1: value inf is not finite");
  EXPECT_EQ(broken([](Tree& t) { t.statistics.leaf_count = {1}; }),
            "1 leaf counts values for 3 of them");
}

TEST(Tree, RefusesACycleBesideTheRoot) {
  Tree tree{
      .nodes = {{.left = ~0, .right = ~1}, {.left = 2, .right = ~2}, {.left = 1, .right = ~3}},
      .leaf_values = {1, 2, 3, 4},
      .statistics = {}};
  EXPECT_EQ(message_of([&] { validate(tree, 1); }),
            "only 1 of 3 nodes hang on the root; the others form a cycle");
}

TEST(Forest, SumsLeavesInTreeOrderAfterTheBaseScore) {
  const Tree constant{.nodes = {}, .leaf_values = {0.5}, .statistics = {}};
  const Forest forest({.trees = {small_tree(), constant}, .num_features = 2, .base_score = 100});
  EXPECT_EQ(forest.score(std::array{0.0F, 1.0F}), 120.5);
  EXPECT_EQ(forest.first_trees(1).score(std::array{0.0F, 1.0F}), 120.0);
  EXPECT_EQ(Forest().score({}), 0.0);
}

TEST(Forest, RefusesABaseScoreThatIsNotFinite) {
  EXPECT_EQ(message_of([] { Forest({.base_score = HUGE_VAL}); }), "base score inf is not finite");
}

TEST(Forest, NeedsANameForEachFeatureOrNone) {
  EXPECT_EQ(message_of([] { Forest({.num_features = 2, .feature_names = {"a"}}); }),
            "1 feature names for 2 features");
}

TEST(Forest, NamesTheTreeThatIsNone) {
  Tree bad = small_tree();
  bad.nodes[0].threshold = kNan;
  EXPECT_EQ(message_of([&] { Forest({.trees = {small_tree(), bad}, .num_features = 2}); }),
            "tree 1: node 0: threshold is NaN");
}

TEST(FeaturesOf, AreThoseOfTheNodesOnce) {
  const Tree tree{.nodes = {{.feature = 5, .threshold = 1, .left = 1, .right = ~2},
                            {.feature = 2, .threshold = 1, .left = 2, .right = ~1},
                            {.feature = 5, .threshold = 0, .left = ~0, .right = ~3}},
                  .leaf_values = {0, 1, 2, 3}};
  EXPECT_EQ(features_of(tree), (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(features_of(std::vector{tree, Tree{.nodes = {{.feature = 3}}}}),
            (std::vector<std::uint32_t>{2, 3, 5}));
  EXPECT_TRUE(features_of(Tree{.leaf_values = {1}}).empty());
}

}  // namespace
}  // namespace glassrank
