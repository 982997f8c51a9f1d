#include "glassrank/models/forest/scoring_plan.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Sources and conditions are expected times ScoringPlan::kStride, 2.

// One stump per decision, on feature 0.
ScoringPlan plan_of(const std::vector<TreeNode>& decisions) {
  ForestParts parts{.trees = {}, .num_features = 1};
  for (TreeNode node : decisions) {
    node.left = ~0;
    node.right = ~1;
    parts.trees.push_back({.nodes = {node}, .leaf_values = {-1, 1}, .statistics = {}});
  }
  return make_scoring_plan(Forest(std::move(parts)));
}

TEST(ScoringPlan, HasEqualDecisionsOnce) {
  const ScoringPlan plan =
      plan_of({{.threshold = 2}, {.threshold = 0.0F}, {.threshold = 2}, {.threshold = -0.0F}});
  EXPECT_EQ(plan.num_conditions, 2U);  // 0 and 2
  ASSERT_EQ(plan.runs.size(), 1U);
  EXPECT_EQ(plan.runs[0].num_levels, 2U);
  // Places 1 .. 3: the middle of three, then the lower and the upper one, which is empty.
  EXPECT_EQ(plan.search_trees[1], 2.0F);
  EXPECT_EQ(plan.search_trees[2], 0.0F);
  EXPECT_EQ(plan.search_trees[3], kInfinity);
  EXPECT_EQ(plan.narrow_conditions, (std::vector<std::uint16_t>{2, 0, 2, 0}));
}

TEST(ScoringPlan, NeedsOneColumnWhereMissingValuesBehaveLikeANumber) {
  // Right of -1, left of 0 and 3: as a 0 would.
  const ScoringPlan plan = plan_of({{.threshold = -1},
                                    {.threshold = 0, .missing_left = true},
                                    {.threshold = 3, .missing_left = true}});
  ASSERT_EQ(plan.columns.size(), 1U);
  EXPECT_EQ(plan.columns[0].value(kNan), 0.0F);
  EXPECT_EQ(plan.columns[0].value(-kInfinity), -kInfinity);
}

TEST(ScoringPlan, NeedsTwoColumnsWhereTheyDoNot) {
  const ScoringPlan plan = plan_of({{.threshold = -1, .missing_left = true}, {.threshold = 3}});
  ASSERT_EQ(plan.columns.size(), 2U);
  EXPECT_EQ(plan.columns[0].value(kNan), -1.0F);
  EXPECT_EQ(plan.columns[1].value(kNan), kInfinity);
}

TEST(ScoringPlan, LetsOnlyMissingValuesPassAnInfiniteThreshold) {
  const ScoringPlan plan = plan_of({{.threshold = kInfinity}});
  ASSERT_EQ(plan.columns.size(), 1U);
  const float cut = plan.walk_nodes[0].cut;
  EXPECT_LE(plan.columns[0].value(kInfinity), cut);
  EXPECT_GT(plan.columns[0].value(kNan), cut);
}

TEST(ScoringPlan, CutsALongColumnIntoRuns) {
  std::vector<TreeNode> decisions(300);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    decisions[i].threshold = static_cast<float>(i);
  }
  const ScoringPlan plan = plan_of(decisions);
  ASSERT_EQ(plan.runs.size(), 2U);
  EXPECT_EQ(plan.runs[0].num_cuts, 255U);
  EXPECT_EQ(plan.runs[1].num_cuts, 45U);
  EXPECT_EQ(plan.runs[1].first_condition, 255U);
  EXPECT_EQ(plan.runs[1].column, 0U);
}

TEST(ScoringPlan, OrdersStepsBreadthFirst) {
  // 0: x <= 5 ? node 1 : leaf 2; 1: x <= 2 ? leaf 0 : leaf 1.
  const Tree tree{.nodes = {{.threshold = 5, .left = 1, .right = ~2},
                            {.threshold = 2, .left = ~0, .right = ~1}},
                  .leaf_values = {10, 20, 30},
                  .statistics = {}};
  const ScoringPlan plan = make_scoring_plan(Forest({.trees = {tree}, .num_features = 1}));
  ASSERT_EQ(plan.pairs.size(), 1U);
  EXPECT_EQ(plan.pairs[0].num_steps, 2U);
  EXPECT_EQ(plan.pairs[0].num_slots, 8U);
  // Place 0 is split twice: by 5 into place 1 (leaf 2), by 2 into place 2 (leaf 1); place 3 is
  // empty. Then the tree that is none: two steps that move nothing, one leaf in place 0.
  EXPECT_EQ(plan.sources, (std::vector<std::uint16_t>{0, 0, 2, 0, 4, 6, 6, 6, 6, 6,  //
                                                      0, 0, 0, 6, 6, 6, 6, 6, 6, 6}));
  EXPECT_EQ(plan.narrow_conditions, (std::vector<std::uint16_t>{2, 0, 4, 4}));
  EXPECT_EQ(plan.leaf_values[0], 30.0);
  EXPECT_EQ(plan.leaf_values[1], 10.0);
  EXPECT_EQ(plan.leaf_values[2], 20.0);
}

TEST(ScoringPlan, LeavesTwigsInFoursOutOfTheSteps) {
  // Thresholds 4 | 2 6 | 1 3 5 7 and leaves 0 .. 7 from left to right: the last four are twigs.
  Tree tree;
  for (std::int32_t n = 0; n < 3; ++n) {
    tree.nodes.push_back({.left = 2 * n + 1, .right = 2 * n + 2});
  }
  for (std::int32_t n = 0; n < 4; ++n)
    tree.nodes.push_back({.left = ~(2 * n), .right = ~(2 * n + 1)});
  const float thresholds[] = {4, 2, 6, 1, 3, 5, 7};
  for (std::size_t n = 0; n < 7; ++n) tree.nodes[n].threshold = thresholds[n];
  tree.leaf_values = {0, 1, 2, 3, 4, 5, 6, 7};
  const ScoringPlan plan = make_scoring_plan(Forest({.trees = {tree, tree}, .num_features = 1}));
  ASSERT_EQ(plan.pairs.size(), 1U);
  EXPECT_EQ(plan.pairs[0].num_steps, 3U);
  EXPECT_EQ(plan.pairs[0].num_twigs, 4U);
  EXPECT_EQ(plan.pairs[0].num_slots, 8U);
  // 4 splits place 0 into 0 and 1, 2 splits 0 into 0 and 2, 6 splits 1 into 1 and 3.
  EXPECT_EQ(plan.sources, (std::vector<std::uint16_t>{0, 0, 2, 0, 4, 2, 6,  //
                                                      0, 0, 2, 0, 4, 2, 6}));
  EXPECT_EQ(plan.narrow_conditions, (std::vector<std::uint16_t>{6, 2, 10, 0, 4, 8, 12,  //
                                                                6, 2, 10, 0, 4, 8, 12}));
  for (std::size_t slot = 0; slot < 8; ++slot) {
    EXPECT_EQ(plan.leaf_values[slot], static_cast<double>(slot));
  }
}

TEST(ScoringPlan, BundlesTwoForksAndATwig) {
  //              4
  //       1             6         1 and 5 are forks, 7 is a twig; the leaves from left to right
  //    .     2       5     7      hold 0 .. 7.
  //         . .    3   .  . .
  //               . .
  Tree tree;
  tree.nodes = {{.threshold = 4, .left = 1, .right = 2},  {.threshold = 1, .left = ~0, .right = 3},
                {.threshold = 6, .left = 4, .right = 5},  {.threshold = 2, .left = ~1, .right = ~2},
                {.threshold = 5, .left = 6, .right = ~5}, {.threshold = 7, .left = ~6, .right = ~7},
                {.threshold = 3, .left = ~3, .right = ~4}};
  tree.leaf_values = {0, 1, 2, 3, 4, 5, 6, 7};
  const ScoringPlan plan = make_scoring_plan(Forest({.trees = {tree, tree}, .num_features = 1}));
  ASSERT_EQ(plan.pairs.size(), 1U);
  EXPECT_EQ(plan.pairs[0].num_steps, 2U);
  EXPECT_EQ(plan.pairs[0].num_bundles, 1U);
  EXPECT_EQ(plan.pairs[0].num_twigs, 0U);
  EXPECT_EQ(plan.pairs[0].num_slots, 8U);
  // 4 splits place 0 into 0 and 1, 6 splits 1 into 1 and 2; then the places of 1, 5 and 7.
  EXPECT_EQ(plan.sources, (std::vector<std::uint16_t>{0, 2, 0, 2, 4,  //
                                                      0, 2, 0, 2, 4}));
  // Thresholds 1 .. 7 are the conditions 0 .. 6.
  EXPECT_EQ(plan.narrow_conditions, (std::vector<std::uint16_t>{6, 10, 0, 2, 8, 4, 12,  //
                                                                6, 10, 0, 2, 8, 4, 12}));
  const double slots[] = {0, 6, 1, 2, 5, 7, 3, 4};
  for (std::size_t slot = 0; slot < 8; ++slot) EXPECT_EQ(plan.leaf_values[slot], slots[slot]);
}

TEST(ScoringPlan, BundlesForksOnlyWithATwigToGoWithThem) {
  // 3 | 1 5 | 2 4: both nodes below the root are forks, and there is no third twig.
  Tree tree;
  tree.nodes = {{.threshold = 3, .left = 1, .right = 2},
                {.threshold = 1, .left = ~0, .right = 3},
                {.threshold = 5, .left = 4, .right = ~5},
                {.threshold = 2, .left = ~1, .right = ~2},
                {.threshold = 4, .left = ~3, .right = ~4}};
  tree.leaf_values = {0, 1, 2, 3, 4, 5};
  const ScoringPlan plan = make_scoring_plan(Forest({.trees = {tree, tree}, .num_features = 1}));
  ASSERT_EQ(plan.pairs.size(), 1U);
  EXPECT_EQ(plan.pairs[0].num_bundles, 0U);
  EXPECT_EQ(plan.pairs[0].num_steps, 5U);
}

TEST(ScoringPlan, DoesNotSliceHugeTrees) {
  Tree tree;
  for (std::int32_t n = 0; n < 4096; ++n) {  // a chain: 4097 leaves
    tree.nodes.push_back({.threshold = 0, .left = ~n, .right = n < 4095 ? n + 1 : ~4096});
  }
  tree.leaf_values.assign(4097, 1);
  const ScoringPlan plan = make_scoring_plan(Forest({.trees = {tree}, .num_features = 1}));
  EXPECT_FALSE(plan.sliced);
  EXPECT_TRUE(plan.pairs.empty());
}

}  // namespace
}  // namespace glassrank
