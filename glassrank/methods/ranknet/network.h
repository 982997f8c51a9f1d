#pragma once
// A dense network in training: its parameters in one list, so that an optimiser needs not know
// layers; scores forward, gradients of the parameters backward.
//
//   parameters = for each layer: for each output its bias, then a weight per input
// The backward pass takes d loss / d score of each document and adds d loss / d parameter.
// Cost per document: two multiplications a weight forward, four backward.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

struct NetworkShape {
  std::vector<std::size_t> sizes;  // inputs, hidden layers, 1
  Activation hidden = Activation::kRelu;
  Activation output = Activation::kIdentity;

  std::size_t num_layers() const { return sizes.size() - 1; }
  Activation activation(std::size_t layer) const {
    return layer + 1 == num_layers() ? output : hidden;
  }
  std::size_t num_parameters() const;
};

// What a document's way forward leaves for the way back: the values of every layer, the inputs
// first.
class NetworkPass {
 public:
  explicit NetworkPass(const NetworkShape& shape);

  // The inputs are to be filled in before forward().
  std::span<double> inputs() { return values_.front(); }
  double forward(std::span<const double> parameters);
  // After forward() of the same document.
  void backward(std::span<const double> parameters, double slope, std::span<double> gradient);

 private:
  const NetworkShape& shape_;
  std::vector<std::vector<double>> values_;  // by layer
  std::vector<std::vector<double>> slopes_;  // d loss / d value, by layer
};

enum class InitialWeights { kScaled, kUniform };

// kScaled: normal with variance 2 / inputs (He et al. 2015), biases 0; kUniform: all of them,
// biases too, uniform in [-0.1, 0.1], as RankLib. Drawn by the seed.
std::vector<double> initial_parameters(const NetworkShape& shape, InitialWeights initial,
                                       std::uint64_t seed);

// The layers with these parameters.
std::vector<MlpLayer> layers_of(const NetworkShape& shape, std::span<const double> parameters);

}  // namespace glassrank
