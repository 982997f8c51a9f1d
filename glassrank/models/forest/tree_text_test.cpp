#include "glassrank/models/forest/tree_text.h"

#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<std::string> kNames = {"price", "rating"};

Forest small_forest(TreeStatistics statistics) {
  Tree tree{.nodes = {{.feature = 0, .threshold = 12.5F, .left = 1, .right = ~2},
                      {.feature = 1,
                       .threshold = 3.1F,
                       .left = ~0,
                       .right = ~1,
                       .missing_left = true,
                       .zero_is_missing = true}},
            .leaf_values = {-0.25, 1.0 / 3, 0.2},
            .statistics = std::move(statistics)};
  Tree constant{.nodes = {}, .leaf_values = {0.5}, .statistics = {}};
  return Forest({.trees = {std::move(tree), std::move(constant)}, .num_features = 2});
}

TEST(TreeText, ShowsConditionsBranchesAndStatistics) {
  const Forest forest = small_forest({.node_gain = {310.25, 102.75},
                                      .node_count = {6163, 4100},
                                      .leaf_count = {3000, 1100, 2063}});
  EXPECT_EQ(tree_text(forest, 0, kNames),
            "tree 0: 3 leaves, depth 2\n"
            "price <= 12.5  missing: no  gain 310.25  documents 6163\n"
            "  yes: rating <= 3.1  missing or 0: yes  gain 102.75  documents 4100\n"
            "    yes: -0.25  documents 3000\n"
            "    no:  0.333333  documents 1100\n"
            "  no:  0.2  documents 2063\n");
}

TEST(TreeText, LeavesOutWhatTheFileDidNotHave) {
  EXPECT_EQ(tree_text(small_forest({}), 0, kNames),
            "tree 0: 3 leaves, depth 2\n"
            "price <= 12.5  missing: no\n"
            "  yes: rating <= 3.1  missing or 0: yes\n"
            "    yes: -0.25\n"
            "    no:  0.333333\n"
            "  no:  0.2\n");
}

TEST(TreeText, OfATreeWithoutNodesIsItsLeaf) {
  EXPECT_EQ(tree_text(small_forest({}), 1, kNames), "tree 1: 1 leaves, depth 0\n0.5\n");
}

TEST(TreeText, RefusesATreeThatIsNotThere) {
  try {
    tree_text(small_forest({}), 2, kNames);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "there is no tree 2: the model has 2, counted from 0");
  }
}

// A chain of 100,000 nodes must neither overflow the stack nor fill the memory with blanks.
TEST(TreeText, OfAVeryDeepTreeStaysNarrow) {
  constexpr std::int32_t kDepth = 100'000;
  Tree tree;
  for (std::int32_t n = 0; n < kDepth; ++n) {
    tree.nodes.push_back(
        {.left = n + 1 < kDepth ? n + 1 : ~n, .right = n + 1 < kDepth ? ~n : ~(n + 1)});
  }
  tree.leaf_values.resize(kDepth + 1);
  const std::string text = tree_text(Forest({.trees = {tree}, .num_features = 1}), 0, kNames);
  EXPECT_NE(text.find("\n[level 41]"), std::string::npos);
  EXPECT_NE(text.find(fmt::format("\n[level {}]", kDepth)), std::string::npos);
  EXPECT_LT(text.size(), (2 * kDepth + 2) * 130U);
}

}  // namespace
}  // namespace glassrank
