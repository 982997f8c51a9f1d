#include "glassrank/methods/ranknet/network.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/models/mlp/mlp.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

NetworkShape shape_of(std::vector<std::size_t> sizes, Activation hidden, Activation output) {
  return {.sizes = std::move(sizes), .hidden = hidden, .output = output};
}

double score(const NetworkShape& shape, const std::vector<double>& parameters,
             const std::vector<double>& inputs) {
  NetworkPass pass(shape);
  pass.start(1);
  std::ranges::copy(inputs, pass.inputs(0).begin());
  return pass.forward(parameters).front();
}

// Scores and the gradient one document, unit and input at a time.
struct Plain {
  std::vector<double> scores;
  std::vector<double> gradient;
};
void add_plainly(const NetworkShape& shape, const std::vector<double>& parameters,
                 const std::vector<double>& inputs, double slope, Plain& plain) {
  std::vector<std::vector<double>> values = {inputs};
  for (std::size_t l = 0; l < shape.num_layers(); ++l) {
    values.emplace_back();
    for (std::size_t o = 0; o < shape.sizes[l + 1]; ++o) {
      const double* const weights = parameters.data() + shape.begin(l) + o;
      double sum = weights[0];
      for (std::size_t i = 0; i < values[l].size(); ++i) {
        sum += weights[(i + 1) * shape.width(l)] * values[l][i];
      }
      values.back().push_back(activate(shape.activation(l), sum));
    }
  }
  plain.scores.push_back(values.back().front());
  std::vector<double> slopes = {slope};
  for (std::size_t l = shape.num_layers(); l-- > 0;) {
    std::vector<double> below(values[l].size(), 0.0);
    for (std::size_t o = 0; o < slopes.size(); ++o) {
      const double at_sum = slopes[o] * activation_slope(shape.activation(l), values[l + 1][o]);
      const std::size_t own = shape.begin(l) + o;
      plain.gradient[own] += at_sum;
      for (std::size_t i = 0; i < values[l].size(); ++i) {
        const std::size_t weight = own + (i + 1) * shape.width(l);
        plain.gradient[weight] += at_sum * values[l][i];
        below[i] += at_sum * parameters[weight];
      }
    }
    slopes = std::move(below);
  }
}

TEST_ON_EVERY_TARGET(Network, ManyDocumentsAreOneAfterTheOtherToTheBit) {
  RandomSequence random(CounterRandom(4, "network test"));
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{5, 1}, {46, 10, 1}, {9, 17, 8, 1}}) {
    for (const Activation hidden : {Activation::kTanh, Activation::kSigmoid, Activation::kRelu}) {
      const NetworkShape shape = shape_of(sizes, hidden, Activation::kSigmoid);
      const auto parameters = initial_parameters(shape, InitialWeights::kScaled, 5);
      NetworkPass pass(shape);
      std::vector<double> gradient(parameters.size(), 0.0);
      Plain plain{.scores = {}, .gradient = gradient};
      for (const std::size_t num_documents : {3, 1, 13, 5}) {
        pass.start(num_documents);
        plain.scores.clear();
        std::vector<double> slopes;
        for (std::size_t d = 0; d < num_documents; ++d) {
          std::vector<double> inputs(sizes.front());
          for (double& x : inputs) x = random.normal();
          std::ranges::copy(inputs, pass.inputs(d).begin());
          slopes.push_back(random.normal());
          add_plainly(shape, parameters, inputs, slopes.back(), plain);
        }
        const auto scores = pass.forward(parameters);
        EXPECT_TRUE(std::ranges::equal(scores, plain.scores));
        pass.backward(parameters, slopes, gradient);
        EXPECT_EQ(gradient, plain.gradient);
      }
    }
  }
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
      pass.start(1);
      std::ranges::copy(inputs, pass.inputs(0).begin());
      pass.forward(parameters);
      std::vector<double> gradient(parameters.size(), 0.0);
      pass.backward(parameters, std::vector<double>{2.0}, gradient);
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
