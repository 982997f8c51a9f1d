#include "glassrank/models/linear/linear.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Linear, ScoresByItsWeightsAndFillsMissingValues) {
  const Model model = small_linear();
  EXPECT_EQ(score_row(model, std::vector<float>{1, 5}), 1 + 2 * 1 - 5);
  EXPECT_EQ(score_row(model, std::vector<float>{1, kNan}), 1 + 2 * 1 - 3);
  EXPECT_EQ(score_row(model, std::vector<float>{1}), 1 + 2 * 1 - 3);
}

TEST(Linear, ItsScorerGivesTheSameScores) {
  const Model model = small_linear();
  const std::vector<float> rows = {1, 5, kNan, 2, 7, kNan};
  std::vector<double> scores(3);
  const auto scorer = make_scorer(model);
  scorer->score({rows.data(), 3, 2}, scores, Context{});
  EXPECT_EQ(scores, (std::vector<double>{-2, -1, 12}));
  EXPECT_EQ(scorer->used_features(), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Linear, AWeightOfZeroIgnoresAnyValue) {
  const Linear linear({.weights = {0, 1}});
  EXPECT_EQ(linear.score(std::vector<float>{std::numeric_limits<float>::infinity(), 2}), 2);
  EXPECT_EQ(linear.num_parts(), 1);
  EXPECT_EQ(linear.used_features(), std::vector<std::uint32_t>{1});
}

TEST(Linear, SurvivesItsNativeFile) {
  const Model model = small_linear();
  EXPECT_EQ(write_native(read_native(write_native(model))), write_native(model));
  EXPECT_EQ(score_row(read_native(write_native(model)), std::vector<float>{1, kNan}), 0);
}

TEST(Linear, RefusesWhatIsNotFiniteOrDoesNotFit) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of([&] { Linear({.weights = {1, infinity}}); }),
            "the weight of feature 2 is inf; it must be finite");
  EXPECT_EQ(message_of([&] { Linear({.weights = {1}, .fills = {kNan}}); }),
            "the value for missing feature 1 is nan; it must be finite");
  EXPECT_EQ(message_of([&] { Linear({.weights = {1}, .fills = {1, 2}}); }),
            "2 values for missing features; there are 1 features");
  EXPECT_EQ(message_of([&] { Linear({.weights = {1}, .feature_names = {"a", "b"}}); }),
            "2 names of features; there are 1 features");
  EXPECT_EQ(message_of([&] { Linear({.intercept = infinity}); }),
            "the intercept is inf; it must be finite");
}

TEST(Linear, IsAdditiveAndNoTrees) {
  const Verification found = verify(small_linear());
  EXPECT_TRUE(found.is_additive());
  EXPECT_EQ(found.effects.size(), 2);
  EXPECT_EQ(
      message_of([] { as_forest(small_linear()); }),
      "a linear model cannot be written as trees: its scores change everywhere, not in steps");
}

}  // namespace
}  // namespace glassrank
