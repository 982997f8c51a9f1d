#include "glassrank/methods/ranknet/network.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/methods/ranknet/input_blocks.h"
#include "glassrank/models/mlp/mlp.h"
#include "testing/message_of.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

NetworkShape shape_of(std::vector<std::size_t> sizes, Activation hidden, Activation output) {
  return {.sizes = std::move(sizes), .hidden = hidden, .output = output};
}

const Context kAlone{.threads = std::make_shared<const Threads>(1)};

// Documents' inputs as a pass takes them.
std::vector<double> block_of(const std::vector<std::vector<double>>& documents) {
  const std::size_t row = block_row(documents.size());
  std::vector<double> block(documents.front().size() * row, 0.0);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (std::size_t f = 0; f < documents[d].size(); ++f) block[f * row + d] = documents[d][f];
  }
  return block;
}

double score(const NetworkShape& shape, const std::vector<double>& parameters,
             const std::vector<double>& inputs) {
  return NetworkPass(shape).forward(parameters, block_of({inputs}).data(), 1, kAlone).front();
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
        plain.scores.clear();
        std::vector<std::vector<double>> documents;
        std::vector<double> slopes;
        for (std::size_t d = 0; d < num_documents; ++d) {
          std::vector<double> inputs(sizes.front());
          for (double& x : inputs) x = random.normal();
          documents.push_back(inputs);
          slopes.push_back(random.normal());
          add_plainly(shape, parameters, inputs, slopes.back(), plain);
        }
        const std::vector<double> block = block_of(documents);
        const auto scores = pass.forward(parameters, block.data(), num_documents, kAlone);
        EXPECT_TRUE(std::ranges::equal(scores, plain.scores));
        pass.backward(parameters, slopes, gradient, kAlone);
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
      const std::vector<double> block = block_of({inputs});
      pass.forward(parameters, block.data(), 1, kAlone);
      std::vector<double> gradient(parameters.size(), 0.0);
      pass.backward(parameters, std::vector<double>{2.0}, gradient, kAlone);
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

// 20,000 documents times 4,096 weights are more than a slice.
TEST(Network, SlicesOfManyDocumentsAreOneAfterTheOtherToTheBitAndStopInBetween) {
  const NetworkShape shape = shape_of({64, 64, 1}, Activation::kRelu, Activation::kIdentity);
  const auto parameters = initial_parameters(shape, InitialWeights::kScaled, 5);
  const std::size_t num_documents = 20'000;
  const std::size_t row = block_row(num_documents);
  RandomSequence random(CounterRandom(6, "network test"));
  std::vector<double> block(64 * row);
  for (double& x : block) x = random.uniform();
  const std::vector<double> slopes(num_documents, 1e-3);
  NetworkPass pass(shape);
  const auto scores = pass.forward(parameters, block.data(), num_documents, kAlone);
  for (const std::size_t d : {std::size_t{0}, num_documents / 2, num_documents - 1}) {
    std::vector<double> inputs;
    for (std::size_t f = 0; f < 64; ++f) inputs.push_back(block[f * row + d]);
    EXPECT_EQ(scores[d], score(shape, parameters, inputs));
  }
  std::vector<double> gradient(parameters.size(), 0.0);
  pass.backward(parameters, slopes, gradient, kAlone);
  Plain plain{.scores = {}, .gradient = std::vector<double>(parameters.size(), 0.0)};
  for (std::size_t d = 0; d < num_documents; ++d) {
    std::vector<double> inputs;
    for (std::size_t f = 0; f < 64; ++f) inputs.push_back(block[f * row + d]);
    add_plainly(shape, parameters, inputs, slopes[d], plain);
  }
  EXPECT_EQ(gradient, plain.gradient);

  const std::atomic<bool> stop = true;
  Context stopped = kAlone;
  stopped.stop = &stop;
  EXPECT_EQ(message_of([&] { pass.forward(parameters, block.data(), num_documents, stopped); }),
            "stopped at the user's request");
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
