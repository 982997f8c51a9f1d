#include "glassrank/explain/tree_shap/linear_shap.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// 1 + 2 a - b, a missing b counts as 3; background means a = 2, b = (5 + 3) / 2 = 4.
TEST(LinearShap, IsWeightTimesDifferenceFromTheMean) {
  const std::vector<float> background = {1, 5, 3, kNan};
  const auto engine = make_shap_engine(
      small_linear(), {.game = ShapGame::kInterventional, .background = {background.data(), 2, 2}},
      {});
  EXPECT_EQ(engine->base_value(), 1 + 2 * 2 - 4);
  const std::vector<float> rows = {7, 1, 0, kNan};
  std::vector<double> values(4);
  engine->values({rows.data(), 2, 2}, {values.data(), 2, 2}, {});
  EXPECT_EQ(values, (std::vector<double>{2 * (7 - 2), -(1 - 4), 2 * (0 - 2), -(3 - 4)}));
  EXPECT_TRUE(engine->pairs().empty());
}

TEST(LinearShap, WithoutDataTakesWhatTheModelFillsIn) {
  const auto engine = make_shap_engine(small_linear(), {}, {});
  EXPECT_EQ(engine->base_value(), 1 - 3);
  const Model bare{.body = Linear({.weights = {1}}), .provenance = {}};
  EXPECT_EQ(message_of([&] { make_shap_engine(bare, {}, {}); }),
            "the model does not know the means of its features; explain it with respect to data: "
            "--game interventional --background FILE");
}

TEST(LinearShap, NetworksHaveNoExactValues) {
  EXPECT_EQ(message_of([] { make_shap_engine(small_mlp(), {}, {}); }),
            "exact Shapley values are read off trees, tables or weights, and a neural network has "
            "none of them; kernel-shap works for every model");
}

}  // namespace
}  // namespace glassrank
