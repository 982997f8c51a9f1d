#include "glassrank/explain/audit/ground_truth.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/models/scorer.h"
#include "testing/explain_fixture.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

// a <= 1 ? 0 : (b <= 1 ? 4 : (a <= 3 ? 6 : 10)), reached by 2, 1, 1 and 0 rows, and a tree of one
// leaf.
Model path_model(bool with_counts) {
  Tree tree{.nodes = {{.feature = 0, .threshold = 1, .left = ~0, .right = 1},
                      {.feature = 1, .threshold = 1, .left = ~1, .right = 2},
                      {.feature = 0, .threshold = 3, .left = ~2, .right = ~3}},
            .leaf_values = {0, 4, 6, 10},
            .statistics = {}};
  if (with_counts) {
    tree.statistics.node_count = {4, 2, 1};
    tree.statistics.leaf_count = {2, 1, 1, 0};
  }
  Tree leaf{.nodes = {}, .leaf_values = {1}, .statistics = {}};
  if (with_counts) leaf.statistics.leaf_count = {4};
  return {.body = Forest({.trees = {tree, leaf}, .num_features = 2}), .provenance = {}};
}

struct Asked {
  explicit Asked(Model of) : model(std::move(of)), scorer(make_scorer(model)) {}
  Subject subject() const { return {.scorer = *scorer, .model = &model, .background = background}; }
  std::vector<double> truth(const std::string& name, bool exclude_leaf = false) const {
    const GroundTruth known =
        make_ground_truth(subject(), {.truth = {name}, .exclude_leaf = exclude_leaf}, {});
    return known.sources.front().importance(view_query(subject(), data, 0, {}), 0);
  }

  Model model;
  std::unique_ptr<const Scorer> scorer;
  Dataset data = data_of_rows({{2, 5}, {0, 0}});
  Dataset background = data_of_rows({{0, 0}, {1, 9}, {2, 0}, {2, 2}});
};

// Node means: root (0 + 0 + 4 + 6) / 4 = 2.5, then (4 + 6) / 2 = 5, then 6. The row (2, 5) goes
// right, right, left to 6. Halves, for the other tree has no split.
TEST(GroundTruth, FollowsTheDocumentsPath) {
  const Asked asked(path_model(true));
  const std::vector<double> impurity = asked.truth("impurity");
  EXPECT_DOUBLE_EQ(impurity[0], (2.5 + 0) / 2);
  EXPECT_DOUBLE_EQ(impurity[1], 1.0 / 2);
  const std::vector<double> frequency = asked.truth("frequency");
  EXPECT_DOUBLE_EQ(frequency[0], 2.0 / 3 / 2);
  EXPECT_DOUBLE_EQ(frequency[1], 1.0 / 3 / 2);
}

TEST(GroundTruth, MayLeaveOutTheStepToTheLeaf) {
  Model model = path_model(true);
  const Asked asked(std::move(model));
  const std::vector<double> impurity = asked.truth("impurity", true);
  EXPECT_DOUBLE_EQ(impurity[0], 2.5 / 2);
  EXPECT_DOUBLE_EQ(impurity[1], 1.0 / 2);
}

TEST(GroundTruth, TakesCoverFromTheBackgroundWhereTheModelHasNone) {
  const Asked asked(path_model(false));  // its rows reach the leaves 2, 1, 1 and 0 times
  EXPECT_EQ(asked.truth("impurity"), Asked(path_model(true)).truth("impurity"));
}

TEST(GroundTruth, KnowsTheDepthOfThePath) {
  const Asked asked(path_model(true));
  const GroundTruth truth = make_ground_truth(asked.subject(), {}, {});
  EXPECT_EQ(truth.sources.size(), 2U);
  EXPECT_EQ(truth.depth(view_query(asked.subject(), asked.data, 0, {}), 0), 1.5);
  EXPECT_EQ(truth.depth(view_query(asked.subject(), asked.data, 0, {}), 1), 0.5);
}

// Curves of additive models: what a feature adds, less its mean over the background.
TEST(GroundTruth, OfAnAdditiveModelIsReadOffItsCurves) {
  const Asked additive(small_gam());  // 1 + (x2 <= 1 ? 10 : 20)
  const Dataset background = data_of_rows({{0, 0, 0}, {0, 0, 5}});
  const Dataset data = data_of_rows({{9, 9, 5}});
  const Subject subject{
      .scorer = *additive.scorer, .model = &additive.model, .background = background};
  const GroundTruth truth = make_ground_truth(subject, {}, {});
  ASSERT_EQ(truth.sources.size(), 1U);
  EXPECT_EQ(truth.sources[0].name, "shapley");
  EXPECT_FALSE(truth.depth);
  const auto values = truth.sources[0].importance(view_query(subject, data, 0, {}), 0);
  EXPECT_EQ(values, (std::vector<double>{0, 0, 5}));
}

TEST(GroundTruth, NeedsAForestForPathsAndAModelForShapleyValues) {
  const Asked additive(small_gam());
  const Asked forest(path_model(true));
  EXPECT_TRUE(make_ground_truth(forest.subject(), {.truth = {"none"}}, {}).sources.empty());
  EXPECT_EQ(message_of([&] { additive.truth("impurity"); }),
            "truth impurity needs a forest; this is an additive model");
  const Subject black_box{.scorer = *forest.scorer, .background = forest.background};
  EXPECT_TRUE(make_ground_truth(black_box, {}, {}).sources.empty());
  EXPECT_EQ(message_of([&] { make_ground_truth(black_box, {.truth = {"frequency"}}, {}); }),
            "truth frequency needs a forest; this is a black box");
  EXPECT_EQ(message_of([&] { make_ground_truth(black_box, {.truth = {"shapley"}}, {}); }),
            "truth shapley: exact Shapley values need a model, not a black box");
  EXPECT_EQ(message_of([&] { forest.truth("impurty"); }),
            "unknown truth 'impurty'; did you mean 'impurity'?");
  EXPECT_EQ(message_of([&] { make_ground_truth(black_box, {.truth = {"none", "impurity"}}, {}); }),
            "truth: none goes with no other");
}

}  // namespace
}  // namespace glassrank
