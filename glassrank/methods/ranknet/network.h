#pragma once
// A dense network in training: its parameters in one list, so that an optimiser needs not know
// layers; scores forward and gradients of the parameters backward, for many documents at a time.
//
//   parameters = for each layer: for the bias and then for each input, a weight per output, and
//                zeros up to whole vectors (matrix_product.h)
// The zeros stay zeros: their gradients are 0. The backward pass takes d loss / d score of each
// document and adds d loss / d parameter. All sums run in the order of inputs or documents, so that
// results are the same bits for any instruction set, and those of one document after the other.
// Cost per document: two multiplications a weight forward, four backward, eight at a time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/math/matrix_product.h"
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
  // Numbers kept for the outputs of a layer.
  std::size_t width(std::size_t layer) const { return padded_columns(sizes[layer + 1]); }
  // Where the weights of a layer begin among all.
  std::size_t begin(std::size_t layer) const;
  std::size_t num_parameters() const { return begin(num_layers()); }
};

// What the documents' way forward leaves for the way back: the values of every layer, the inputs
// first.
class NetworkPass {
 public:
  explicit NetworkPass(const NetworkShape& shape);

  // Makes room for so many documents, whose inputs are then to be filled in.
  void start(std::size_t num_documents);
  std::span<double> inputs(std::size_t document) {
    return {units(0, document), shape_.sizes.front()};
  }
  // The documents' scores; valid until start().
  std::span<const double> forward(std::span<const double> parameters);
  // After forward() of the same documents and parameters; `slopes` has one per document.
  void backward(std::span<const double> parameters, std::span<const double> slopes,
                std::span<double> gradient);

 private:
  // A row of a document holds 1, for the bias, right before its units.
  static constexpr std::size_t kUnits = kProductColumns;
  std::size_t row_size(std::size_t level) const { return kUnits + padded_columns(size(level)); }
  std::size_t size(std::size_t level) const { return shape_.sizes[level]; }
  double* units(std::size_t level, std::size_t document) {
    return values_[level].data() + document * row_size(level) + kUnits;
  }
  void turn_weights(std::span<const double> parameters, std::size_t layer);

  const NetworkShape& shape_;
  std::size_t num_documents_ = 0;
  std::vector<std::vector<double>> values_;  // by level: the inputs, then each layer's outputs
  std::vector<std::vector<double>> slopes_;  // d loss / d sum of a unit, by layer
  std::vector<double> turned_;               // a layer's weights, an output's inputs in a row
  std::vector<double> scores_;
};

enum class InitialWeights { kScaled, kUniform };

// kScaled: normal with variance 2 / inputs (He et al. 2015), biases 0; kUniform: all of them,
// biases too, uniform in [-0.1, 0.1], as RankLib. Drawn by the seed.
std::vector<double> initial_parameters(const NetworkShape& shape, InitialWeights initial,
                                       std::uint64_t seed);

// The layers with these parameters.
std::vector<MlpLayer> layers_of(const NetworkShape& shape, std::span<const double> parameters);

}  // namespace glassrank
