#include "glassrank/methods/ranknet/network.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/random.h"
#include "glassrank/models/mlp/activations.h"

namespace glassrank {

std::size_t NetworkShape::begin(std::size_t layer) const {
  std::size_t count = 0;
  for (std::size_t l = 0; l < layer; ++l) count += (sizes[l] + 1) * width(l);
  return count;
}

NetworkPass::NetworkPass(const NetworkShape& shape)
    : shape_(shape), values_(shape.sizes.size()), slopes_(shape.num_layers()) {}

void NetworkPass::start(std::size_t num_documents) {
  num_documents_ = num_documents;
  scores_.resize(num_documents);
  for (std::size_t level = 0; level < values_.size(); ++level) {
    const std::size_t size = num_documents * row_size(level);
    if (values_[level].size() >= size) continue;
    values_[level].assign(size, 0.0);
    for (std::size_t d = 0; d < num_documents; ++d) units(level, d)[-1] = 1;
  }
}

std::span<const double> NetworkPass::forward(std::span<const double> parameters) {
  for (std::size_t l = 0; l < shape_.num_layers(); ++l) {
    const std::size_t width = shape_.width(l);
    for (std::size_t d = 0; d < num_documents_; ++d) std::fill_n(units(l + 1, d), width, 0.0);
    add_product({.left = units(l, 0) - 1,
                 .left_row = row_size(l),
                 .right = parameters.data() + shape_.begin(l),
                 .right_row = width,
                 .sum = units(l + 1, 0),
                 .sum_row = row_size(l + 1),
                 .num_rows = num_documents_,
                 .num_inner = size(l) + 1,
                 .num_columns = width});
    // Of whole vectors: nobody looks at what lies beyond the units.
    for (std::size_t d = 0; d < num_documents_; ++d) {
      activate_all(shape_.activation(l), {units(l + 1, d), width});
    }
  }
  for (std::size_t d = 0; d < num_documents_; ++d) scores_[d] = *units(values_.size() - 1, d);
  return scores_;
}

void NetworkPass::backward(std::span<const double> parameters, std::span<const double> slopes,
                           std::span<double> gradient) {
  for (std::size_t l = shape_.num_layers(); l-- > 0;) {
    const bool is_last = l + 1 == shape_.num_layers();
    const std::size_t width = shape_.width(l);
    std::vector<double>& own = slopes_[l];
    if (own.size() < num_documents_ * width) own.resize(num_documents_ * width);
    if (is_last) {
      std::ranges::fill(own, 0.0);
      for (std::size_t d = 0; d < num_documents_; ++d) own[d * width] = slopes[d];
    } else {
      // d loss / d value: the slopes of the layer above through its weights.
      std::ranges::fill(own, 0.0);
      turn_weights(parameters, l + 1);
      add_product({.left = slopes_[l + 1].data(),
                   .left_row = shape_.width(l + 1),
                   .right = turned_.data(),
                   .right_row = width,
                   .sum = own.data(),
                   .sum_row = width,
                   .num_rows = num_documents_,
                   .num_inner = size(l + 2),
                   .num_columns = width});
    }
    const Activation activation = shape_.activation(l);
    for (std::size_t d = 0; d < num_documents_; ++d) {
      const double* const outputs = units(l + 1, d);
      for (std::size_t o = 0; o < size(l + 1); ++o) {
        own[d * width + o] *= activation_slope(activation, outputs[o]);
      }
    }
    add_product({.left = units(l, 0) - 1,
                 .left_row = 1,
                 .left_step = row_size(l),
                 .right = own.data(),
                 .right_row = width,
                 .sum = gradient.data() + shape_.begin(l),
                 .sum_row = width,
                 .num_rows = size(l) + 1,
                 .num_inner = num_documents_,
                 .num_columns = width});
  }
}

void NetworkPass::turn_weights(std::span<const double> parameters, std::size_t layer) {
  const std::size_t inputs = size(layer);
  const std::size_t turned_row = padded_columns(inputs);
  turned_.assign(size(layer + 1) * turned_row, 0.0);
  const double* weight = parameters.data() + shape_.begin(layer) + shape_.width(layer);
  for (std::size_t i = 0; i < inputs; ++i, weight += shape_.width(layer)) {
    for (std::size_t o = 0; o < size(layer + 1); ++o) turned_[o * turned_row + i] = weight[o];
  }
}

std::vector<double> initial_parameters(const NetworkShape& shape, InitialWeights initial,
                                       std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "network weights"));
  std::vector<double> parameters(shape.num_parameters(), 0.0);
  for (std::size_t l = 0; l < shape.num_layers(); ++l) {
    const double deviation = std::sqrt(2.0 / static_cast<double>(shape.sizes[l]));
    for (std::size_t o = 0; o < shape.sizes[l + 1]; ++o) {
      for (std::size_t i = 0; i <= shape.sizes[l]; ++i) {
        const bool is_bias = i == 0;
        parameters[shape.begin(l) + i * shape.width(l) + o] =
            initial == InitialWeights::kUniform ? 0.2 * random.uniform() - 0.1
            : is_bias                           ? 0
                                                : deviation * random.normal();
      }
    }
  }
  return parameters;
}

std::vector<MlpLayer> layers_of(const NetworkShape& shape, std::span<const double> parameters) {
  std::vector<MlpLayer> layers;
  for (std::size_t l = 0; l < shape.num_layers(); ++l) {
    MlpLayer layer{.num_inputs = shape.sizes[l],
                   .weights = {},
                   .biases = {},
                   .activation = shape.activation(l)};
    const auto own = parameters.subspan(shape.begin(l));
    for (std::size_t o = 0; o < shape.sizes[l + 1]; ++o) {
      layer.biases.push_back(own[o]);
      for (std::size_t i = 1; i <= shape.sizes[l]; ++i) {
        layer.weights.push_back(own[i * shape.width(l) + o]);
      }
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace glassrank
