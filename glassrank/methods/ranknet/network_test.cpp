#include "glassrank/methods/ranknet/network.h"

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {
namespace {

NetworkShape shape_of(std::vector<std::size_t> sizes, Activation hidden, Activation output) {
  return {.sizes = std::move(sizes), .hidden = hidden, .output = output};
}

double score(const NetworkShape& shape, const std::vector<double>& parameters,
             const std::vector<double>& inputs) {
  NetworkPass pass(shape);
  std::ranges::copy(inputs, pass.inputs().begin());
  return pass.forward(parameters);
}

TEST(Network, BackwardGivesTheSlopesOfTheScore) {
  for (const Activation hidden : {Activation::kTanh, Activation::kSigmoid, Activation::kRelu}) {
    for (const std::vector<std::size_t>& sizes :
         {std::vector<std::size_t>{3, 1}, {3, 4, 1}, {3, 5, 2, 1}}) {
      const NetworkShape shape = shape_of(sizes, hidden, Activation::kSigmoid);
      const auto parameters = initial_parameters(shape, InitialWeights::kScaled, 5);
      ASSERT_EQ(parameters.size(), shape.num_parameters());
      const std::vector<double> inputs = {0.7, -1.3, 2.1};
      NetworkPass pass(shape);
      std::ranges::copy(inputs, pass.inputs().begin());
      pass.forward(parameters);
      std::vector<double> gradient(parameters.size(), 0.0);
      pass.backward(parameters, 2.0, gradient);
      const double step = 1e-6;
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        std::vector<double> up = parameters;
        std::vector<double> down = parameters;
        up[p] += step;
        down[p] -= step;
        const double slope =
            2.0 * (score(shape, up, inputs) - score(shape, down, inputs)) / (2 * step);
        EXPECT_NEAR(gradient[p], slope, 1e-7) << p;
      }
    }
  }
}

TEST(Network, ItsLayersScoreAsItDoes) {
  const NetworkShape shape = shape_of({2, 3, 1}, Activation::kRelu, Activation::kIdentity);
  const auto parameters = initial_parameters(shape, InitialWeights::kUniform, 1);
  const Mlp mlp({.layers = layers_of(shape, parameters)});
  EXPECT_DOUBLE_EQ(mlp.score(std::vector<float>{0.5F, -2}), score(shape, parameters, {0.5, -2}));
}

TEST(Network, UniformWeightsAreWithinATenth) {
  const NetworkShape shape = shape_of({20, 10, 1}, Activation::kSigmoid, Activation::kSigmoid);
  for (const double weight : initial_parameters(shape, InitialWeights::kUniform, 3)) {
    EXPECT_LE(std::abs(weight), 0.1);
  }
}

}  // namespace
}  // namespace glassrank
