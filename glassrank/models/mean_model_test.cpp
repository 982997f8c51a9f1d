#include "glassrank/models/mean_model.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

using Row = std::vector<float>;

Model linear(std::vector<double> weights, double intercept) {
  return {.body = Linear({.weights = std::move(weights), .intercept = intercept}),
          .provenance = {}};
}

// activation(weight * (a + b)) * 2 + 1
Model network(double weight, Activation activation) {
  const MlpLayer hidden{
      .num_inputs = 2, .weights = {weight, weight}, .biases = {0}, .activation = activation};
  const MlpLayer output{.num_inputs = 1, .weights = {2}, .biases = {1}};
  return {.body = Mlp({.layers = {hidden, output}}), .provenance = {}};
}

Model curve(float edge, double above) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {edge}}}, .values = {0, above, 0}};
  return {.body = Gam({.effects = {effect}, .num_features = 2, .intercept = 1}), .provenance = {}};
}

TEST(MeanModel, OfOneIsThatModel) {
  const std::vector<Model> one = {small_forest()};
  EXPECT_EQ(score_row(mean_model(one), Row{0, 2}), 2);
}

TEST(MeanModel, OfLinearModelsHasTheMeanWeights) {
  const std::vector<Model> bags = {linear({1, 2}, 4), linear({3, 0}, 0)};
  EXPECT_EQ(score_row(mean_model(bags), Row{1, 10}), 2 + 2 * 1 + 1 * 10);
}

TEST(MeanModel, OfNetworksScoresTheirMean) {
  for (const Activation activation : {Activation::kSigmoid, Activation::kRelu}) {
    const std::vector<Model> bags = {network(1, activation), network(-2, activation),
                                     network(0.5, activation)};
    const Model mean = mean_model(bags);
    for (const Row& row : {Row{1, 2}, Row{-1, 0.25F}, Row{0, 0}}) {
      double sum = 0;
      for (const Model& bag : bags) sum += score_row(bag, row);
      EXPECT_NEAR(score_row(mean, row), sum / 3, 1e-15);
    }
  }
}

TEST(MeanModel, OfAdditiveModelsHasTheEdgesOfAll) {
  const std::vector<Model> bags = {curve(1, 2), curve(3, 4)};
  const Model mean = mean_model(bags);
  EXPECT_EQ(score_row(mean, Row{0, 0}), 1);
  EXPECT_EQ(score_row(mean, Row{2, 0}), 1 + 1);
  EXPECT_EQ(score_row(mean, Row{4, 0}), 1 + 3);
  EXPECT_EQ(kind_of(mean), "additive model");
}

TEST(MeanModel, NeedsModelsOfOneKind) {
  const std::vector<Model> bags = {small_forest(), small_linear()};
  EXPECT_EQ(message_of([&] { mean_model(bags); }), "a forest and a linear model have no mean");
  const std::vector<Model> fills = {linear({1, 1}, 0), small_linear()};
  EXPECT_EQ(message_of([&] { mean_model(fills); }),
            "models whose missing values count as different numbers have no mean of their kind");
}

}  // namespace
}  // namespace glassrank
