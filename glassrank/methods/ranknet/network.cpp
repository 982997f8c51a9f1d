#include "glassrank/methods/ranknet/network.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/random.h"

namespace glassrank {

std::size_t NetworkShape::num_parameters() const {
  std::size_t count = 0;
  for (std::size_t l = 0; l < num_layers(); ++l) count += (sizes[l] + 1) * sizes[l + 1];
  return count;
}

NetworkPass::NetworkPass(const NetworkShape& shape) : shape_(shape) {
  for (const std::size_t size : shape.sizes) {
    values_.emplace_back(size);
    slopes_.emplace_back(size);
  }
}

double NetworkPass::forward(std::span<const double> parameters) {
  const double* parameter = parameters.data();
  for (std::size_t l = 0; l < shape_.num_layers(); ++l) {
    const std::vector<double>& inputs = values_[l];
    for (double& output : values_[l + 1]) {
      double sum = *parameter++;
      for (const double input : inputs) sum += *parameter++ * input;
      output = activate(shape_.activation(l), sum);
    }
  }
  return values_.back().front();
}

void NetworkPass::backward(std::span<const double> parameters, double slope,
                           std::span<double> gradient) {
  slopes_.back().front() = slope;
  std::size_t end = parameters.size();
  for (std::size_t l = shape_.num_layers(); l-- > 0;) {
    const std::vector<double>& inputs = values_[l];
    const std::vector<double>& outputs = values_[l + 1];
    std::ranges::fill(slopes_[l], 0.0);
    const std::size_t begin = end - (inputs.size() + 1) * outputs.size();
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const double at_sum = slopes_[l + 1][o] * activation_slope(shape_.activation(l), outputs[o]);
      const std::size_t own = begin + o * (inputs.size() + 1);
      gradient[own] += at_sum;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        gradient[own + 1 + i] += at_sum * inputs[i];
        slopes_[l][i] += at_sum * parameters[own + 1 + i];
      }
    }
    end = begin;
  }
}

std::vector<double> initial_parameters(const NetworkShape& shape, InitialWeights initial,
                                       std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "network weights"));
  std::vector<double> parameters;
  for (std::size_t l = 0; l < shape.num_layers(); ++l) {
    const double deviation = std::sqrt(2.0 / static_cast<double>(shape.sizes[l]));
    for (std::size_t o = 0; o < shape.sizes[l + 1]; ++o) {
      for (std::size_t i = 0; i <= shape.sizes[l]; ++i) {
        const bool is_bias = i == 0;
        parameters.push_back(initial == InitialWeights::kUniform ? 0.2 * random.uniform() - 0.1
                             : is_bias                           ? 0
                                                                 : deviation * random.normal());
      }
    }
  }
  return parameters;
}

std::vector<MlpLayer> layers_of(const NetworkShape& shape, std::span<const double> parameters) {
  std::vector<MlpLayer> layers;
  auto parameter = parameters.begin();
  for (std::size_t l = 0; l < shape.num_layers(); ++l) {
    MlpLayer layer{.num_inputs = shape.sizes[l],
                   .weights = {},
                   .biases = {},
                   .activation = shape.activation(l)};
    for (std::size_t o = 0; o < shape.sizes[l + 1]; ++o) {
      layer.biases.push_back(*parameter++);
      for (std::size_t i = 0; i < shape.sizes[l]; ++i) layer.weights.push_back(*parameter++);
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace glassrank
