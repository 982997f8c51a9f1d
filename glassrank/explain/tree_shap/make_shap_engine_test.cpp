#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "testing/message_of.h"
#include "testing/shap_calls.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

using testing::with_threads;

TEST(MakeShapEngine, ExplainsEveryKindOfModelByBackgroundRows) {
  for (const Model& model : {small_forest(), small_gam()}) {
    const std::size_t n = num_features_of(model);
    const std::vector<float> background(n, 0);
    const std::vector<float> row(n, 5);
    const ShapSetup setup{.game = ShapGame::kInterventional,
                          .background = {background.data(), 1, n}};
    const auto engine = make_shap_engine(model, setup, with_threads(1));
    EXPECT_EQ(engine->num_features(), n);
    EXPECT_EQ(engine->base_value(), score_row(model, background));
    const std::vector<double> values = values_of(*engine, row);
    // Only the last feature does anything in either of them.
    EXPECT_EQ(values.back(), score_row(model, row) - score_row(model, background));
    EXPECT_EQ(values.front(), 0);
  }
}

TEST(MakeShapEngine, TakesTheCoverAskedFor) {
  Tree tree{.nodes = {{.feature = 0, .threshold = 0, .left = ~0, .right = ~1}},
            .leaf_values = {0, 8},
            .statistics = {.leaf_weight = {3, 1}, .leaf_count = {1, 1}}};
  const Model model{.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
  const auto base = [&](Cover cover) {
    return make_shap_engine(model, {.cover = cover}, with_threads(1))->base_value();
  };
  EXPECT_EQ(base(Cover::kAuto), 4);
  EXPECT_EQ(base(Cover::kCount), 4);
  EXPECT_EQ(base(Cover::kHessian), 2);
}

TEST(MakeShapEngine, SaysWhatAModelDoesNotKnow) {
  for (const Model& model : {small_forest(), small_gam()}) {
    const std::string message = message_of([&] { make_shap_engine(model, {}, with_threads(1)); });
    EXPECT_NE(message.find("ask for interventional values with background rows"), message.npos)
        << message;
  }
}

}  // namespace
}  // namespace glassrank
