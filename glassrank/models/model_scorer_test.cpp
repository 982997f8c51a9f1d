#include "glassrank/models/model_scorer.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

Model forest_model() {
  const Tree tree{.nodes = {{.feature = 1, .threshold = 1, .left = ~0, .right = ~1}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  return {.body = Forest({.trees = {tree}, .num_features = 2, .feature_names = {"a", "b"}}),
          .provenance = {}};
}

Model gam_model() {
  GamEffect curve{
      .axes = {{.feature = 2, .edges = {1}}}, .values = {10, 20, 40}, .errors = {}, .weights = {}};
  return {.body = Gam({.effects = {curve}, .num_features = 3, .intercept = 1}), .provenance = {}};
}

TEST(ModelScorer, ScoresEveryKindOfModel) {
  const std::vector<float> values = {0, 1, 1, 0, 2, 2};
  std::vector<double> scores(2);
  score_rows(forest_model(), {values.data(), 2, 3}, scores, {});
  EXPECT_EQ(scores, (std::vector<double>{0.5, 2}));
  score_rows(gam_model(), {values.data(), 2, 3}, scores, {});
  EXPECT_EQ(scores, (std::vector<double>{1 + 10, 1 + 20}));
  EXPECT_EQ(score_row(forest_model(), std::span(values).first(3)), 0.5);
  EXPECT_EQ(score_row(gam_model(), std::span(values).first(2)), 1 + 40);
}

TEST(ModelScorer, KnowsTheFeatures) {
  const Model forest = forest_model();
  EXPECT_EQ(num_features_of(forest), 2U);
  EXPECT_EQ(feature_names_of(forest)[1], "b");
  EXPECT_EQ(num_features_of(gam_model()), 3U);
  EXPECT_TRUE(feature_names_of(gam_model()).empty());
}

TEST(ModelScorer, SaysWhatDoesNotFit) {
  const std::vector<float> values(4);
  std::vector<double> scores(2);
  for (const Model& model : {forest_model(), gam_model()}) {
    EXPECT_EQ(message_of([&] { score_rows(model, {values.data(), 4, 1}, scores, {}); }),
              fmt::format("rows of 1 features for a model of {}", num_features_of(model)));
    EXPECT_EQ(message_of([&] { score_rows(model, {values.data(), 1, 4}, scores, {}); }),
              "1 rows but room for 2 scores");
  }
  EXPECT_EQ(message_of([] { require_forest(gam_model(), "m.json"); }),
            "this needs a forest; m.json is an additive model");
}

}  // namespace
}  // namespace glassrank
