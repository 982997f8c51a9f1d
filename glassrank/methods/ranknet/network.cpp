#include "glassrank/methods/ranknet/network.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/random.h"
#include "glassrank/methods/ranknet/input_blocks.h"
#include "glassrank/models/mlp/activations.h"

namespace glassrank {
namespace {

// Weights times documents between two looks at whether to stop: some hundredths of a second.
constexpr std::size_t kSliceWork = std::size_t{1} << 26;

// body(begin, end) for slices of [0, size) that are whole vectors, each little enough work. A sum
// that is continued slice by slice has the bits of one that is not.
template <typename Body>
void in_slices(std::size_t size, std::size_t work_each, const Context& context, const Body& body) {
  const std::size_t slice =
      std::max(kSliceWork / std::max<std::size_t>(work_each, 1) / kProductColumns, std::size_t{1}) *
      kProductColumns;
  for (std::size_t begin = 0; begin < size; begin += slice) {
    context.check_stop();
    body(begin, std::min(begin + slice, size));
  }
}

}  // namespace

std::size_t NetworkShape::begin(std::size_t layer) const {
  std::size_t count = 0;
  for (std::size_t l = 0; l < layer; ++l) count += (sizes[l] + 1) * width(l);
  return count;
}

NetworkPass::NetworkPass(const NetworkShape& shape)
    : shape_(shape), values_(shape.num_layers()), slopes_(shape.num_layers()) {}

std::span<const double> NetworkPass::forward(std::span<const double> parameters,
                                             const double* inputs, std::size_t num_documents,
                                             const Context& context) {
  inputs_ = inputs;
  num_documents_ = num_documents;
  row_ = block_row(num_documents);
  for (std::size_t l = 0; l < shape_.num_layers(); ++l) {
    const std::size_t width = shape_.width(l);
    const double* const biases = parameters.data() + shape_.begin(l);
    std::vector<double>& sums = values_[l];
    sums.resize(size(l + 1) * row_);
    for (std::size_t o = 0; o < size(l + 1); ++o) {
      std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(o * row_), row_, biases[o]);
    }
    in_slices(row_, size(l) * size(l + 1), context, [&](std::size_t begin, std::size_t end) {
      add_product({.left = biases + width,
                   .left_row = 1,
                   .left_step = width,
                   .right = values(l) + begin,
                   .right_row = row_,
                   .sum = sums.data() + begin,
                   .sum_row = row_,
                   .num_rows = size(l + 1),
                   .num_inner = size(l),
                   .num_columns = end - begin});
    });
    activate_all(shape_.activation(l), sums);
  }
  return {values_.back().data(), num_documents};
}

void NetworkPass::backward(std::span<const double> parameters, std::span<const double> slopes,
                           std::span<double> gradient, const Context& context) {
  for (std::size_t l = shape_.num_layers(); l-- > 0;) {
    slopes_[l].resize(size(l + 1) * row_);
    std::ranges::fill(slopes_[l], 0.0);
    if (l + 1 == shape_.num_layers()) {
      std::ranges::copy(slopes, slopes_[l].begin());
    } else {
      slopes_below(parameters, l + 1, context);
    }
    multiply_by_slopes(shape_.activation(l), values_[l], slopes_[l]);
    add_gradient(l, gradient, context);
  }
}

// d loss / d value: the slopes of the layer above through its weights.
void NetworkPass::slopes_below(std::span<const double> parameters, std::size_t layer,
                               const Context& context) {
  const std::size_t width = shape_.width(layer);
  in_slices(row_, size(layer) * size(layer + 1), context, [&](std::size_t begin, std::size_t end) {
    add_product({.left = parameters.data() + shape_.begin(layer) + width,
                 .left_row = width,
                 .right = slopes_[layer].data() + begin,
                 .right_row = row_,
                 .sum = slopes_[layer - 1].data() + begin,
                 .sum_row = row_,
                 .num_rows = size(layer),
                 .num_inner = size(layer + 1),
                 .num_columns = end - begin});
  });
}

void NetworkPass::add_gradient(std::size_t layer, std::span<double> gradient,
                               const Context& context) {
  const std::size_t width = shape_.width(layer);
  turn_slopes(layer);
  double* const biases = gradient.data() + shape_.begin(layer);
  for (std::size_t d = 0; d < num_documents_; ++d) {
    const double* const own = turned_.data() + d * width;
    for (std::size_t o = 0; o < width; ++o) biases[o] += own[o];
  }
  in_slices(num_documents_, size(layer) * width, context, [&](std::size_t begin, std::size_t end) {
    add_product({.left = values(layer) + begin,
                 .left_row = row_,
                 .right = turned_.data() + begin * width,
                 .right_row = width,
                 .sum = biases + width,
                 .sum_row = width,
                 .num_rows = size(layer),
                 .num_inner = end - begin,
                 .num_columns = width});
  });
}

void NetworkPass::turn_slopes(std::size_t layer) {
  const std::size_t width = shape_.width(layer);
  turned_.assign(num_documents_ * width, 0.0);
  const double* own = slopes_[layer].data();
  for (std::size_t o = 0; o < size(layer + 1); ++o, own += row_) {
    for (std::size_t d = 0; d < num_documents_; ++d) turned_[d * width + o] = own[d];
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
