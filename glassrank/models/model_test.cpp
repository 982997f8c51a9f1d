#include "glassrank/models/model.h"

#include <gtest/gtest.h>

#include "glassrank/models/model_kinds.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

TEST(Model, MatchTakesTheCaseOfItsKind) {
  const auto kind = [](const Model& model) {
    return match(
        model, [](const Forest&) { return 1; }, [](const Gam&) { return 2; },
        [](const auto&) { return 3; });
  };
  EXPECT_EQ(kind(small_forest()), 1);
  EXPECT_EQ(kind(small_gam()), 2);
  EXPECT_EQ(kind(small_linear()), 3);
  EXPECT_EQ(kind(small_mlp()), 3);
}

TEST(Model, KnowsItsKindAndItsParts) {
  EXPECT_EQ(kind_of(small_forest()), "forest");
  EXPECT_EQ(kind_of(small_gam()), "additive model");
  EXPECT_EQ(kind_of(small_linear()), "linear model");
  EXPECT_EQ(kind_of(small_mlp()), "neural network");
  EXPECT_EQ(parts_of(small_forest()), "trees");
  EXPECT_EQ(parts_of(small_gam()), "effects");
  EXPECT_EQ(num_parts_of(small_forest()), 1U);
  EXPECT_EQ(num_parts_of(small_gam()), 1U);
}

TEST(Model, KnowsItsFeatures) {
  const Model forest = small_forest();
  EXPECT_EQ(num_features_of(forest), 2U);
  EXPECT_EQ(feature_names_of(forest)[1], "b");
  EXPECT_EQ(num_features_of(small_gam()), 3U);
  EXPECT_TRUE(feature_names_of(small_gam()).empty());
}

TEST(Model, ScoresARowByItsDefinition) {
  EXPECT_EQ(score_row(small_forest(), std::vector<float>{0, 1, 1}), 0.5);
  EXPECT_EQ(score_row(small_gam(), std::vector<float>{0, 1}), 1 + 40);
}

TEST(Model, IsRefusedWhereAnotherKindIsNeeded) {
  EXPECT_EQ(require_forest(small_forest(), "it").trees().size(), 1U);
  EXPECT_EQ(require_gam(small_gam(), "it").effects().size(), 1U);
  EXPECT_EQ(message_of([] { require_forest(small_gam(), "--trees"); }),
            "--trees needs a forest; this is an additive model");
  EXPECT_EQ(message_of([] { require_gam(small_forest(), "edit"); }),
            "edit needs an additive model; this is a forest");
}

TEST(Model, BecomesTheOtherKindWithTheSameScores) {
  for (const Model& model : {small_forest(), small_gam()}) {
    for (const float x : {0.0F, 1.0F, 2.0F, std::numeric_limits<float>::quiet_NaN()}) {
      const std::vector<float> row = {x, x, x};
      EXPECT_EQ(as_forest(model).score(row), score_row(model, row));
      EXPECT_EQ(as_gam(model).score(row), score_row(model, row));
    }
  }
}

}  // namespace
}  // namespace glassrank
