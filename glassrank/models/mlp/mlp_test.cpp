#include "glassrank/models/mlp/mlp.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/mlp/activations.h"
#include "glassrank/models/scorer.h"
#include "testing/message_of.h"
#include "testing/on_every_target.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Mlp, ScoresByItsLayers) {
  const Model model = small_mlp();
  EXPECT_EQ(score_row(model, std::vector<float>{3, 2}), 5 - 2);
  EXPECT_EQ(score_row(model, std::vector<float>{-3, 1}), 0);
  EXPECT_EQ(score_row(model, std::vector<float>{3, kNan}), 3 - 2);
}

TEST(Mlp, ItsScorerGivesTheSameScores) {
  const std::vector<float> rows = {3, 2, -3, 1, 3, kNan};
  std::vector<double> scores(3);
  make_scorer(small_mlp())->score({rows.data(), 3, 2}, scores, Context{});
  EXPECT_EQ(scores, (std::vector<double>{3, 0, 1}));
}

TEST(Mlp, SurvivesItsNativeFile) {
  const Model model = small_mlp();
  const Model read = read_native(write_native(model));
  EXPECT_EQ(write_native(read), write_native(model));
  EXPECT_EQ(score_row(read, std::vector<float>{3, 2}), 3);
}

TEST(Mlp, SlopesOfActivationsAreTheirDerivatives) {
  for (const auto& [name, activation] : EnumNames<Activation>::table()) {
    for (const double x : {-1.3, -0.2, 0.4, 2.0}) {
      const double step = 1e-6;
      const double slope =
          (activate(activation, x + step) - activate(activation, x - step)) / (2 * step);
      EXPECT_NEAR(activation_slope(activation, activate(activation, x)), slope, 1e-8) << name;
    }
  }
}

TEST_ON_EVERY_TARGET(Mlp, ActivationsOfManyAreThoseOfEach) {
  for (const auto& [name, activation] : EnumNames<Activation>::table()) {
    std::vector<double> sums;
    for (int i = -40; i <= 41; ++i) sums.push_back(0.37 * i * std::abs(i));
    std::vector<double> found = sums;
    for (const double far : {-1e9, 350.5, 701.0, 800.0}) found.push_back(far);
    sums = found;
    activate_all(activation, found);
    std::vector<double> slopes(sums.size(), 1.5);
    multiply_by_slopes(activation, found, slopes);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      EXPECT_EQ(found[i], activate(activation, sums[i])) << name << sums[i];
      EXPECT_EQ(slopes[i], 1.5 * activation_slope(activation, found[i])) << name << sums[i];
    }
  }
  EXPECT_NEAR(activate(Activation::kTanh, 0.3), std::tanh(0.3), 1e-15);
  EXPECT_NEAR(activate(Activation::kTanh, -400), -1, 1e-15);
  EXPECT_NEAR(activate(Activation::kSigmoid, -2), 1 / (1 + std::exp(2)), 1e-15);
}

TEST(Mlp, RefusesLayersThatDoNotFit) {
  const MlpLayer two{.num_inputs = 3, .weights = std::vector<double>(6), .biases = {0, 0}};
  EXPECT_EQ(message_of([&] { Mlp({.layers = {two}}); }),
            "the last layer has 2 outputs; a score is one");
  EXPECT_EQ(message_of([&] { Mlp({.layers = {two, two}}); }),
            "layer 2 has 3 inputs; the layer before it has 2 outputs");
  EXPECT_EQ(message_of([&] { Mlp({.layers = {}}); }), "a neural network needs at least one layer");
  MlpLayer bad{.num_inputs = 2, .weights = {1}, .biases = {0}};
  EXPECT_EQ(message_of([&] { Mlp({.layers = {bad}}); }),
            "layer 1 has 1 weights; 2 inputs and 1 outputs need 2");
  bad.weights = {1, std::nan("")};
  EXPECT_EQ(message_of([&] { Mlp({.layers = {bad}}); }), "layer 1 has a weight that is not finite");
}

TEST(Mlp, IsNotAdditive) {
  const Verification found = verify(small_mlp());
  EXPECT_FALSE(found.is_additive());
  EXPECT_EQ(found.joined, (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace glassrank
