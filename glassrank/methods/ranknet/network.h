#pragma once
// A dense network in training: its parameters in one list, so that an optimiser needs not know
// layers; scores forward and gradients of the parameters backward, for many documents at a time.
//
//   parameters = for each layer: for the bias and then for each input, a weight per output, and
//                zeros up to whole vectors (matrix_product.h)
// The zeros stay zeros: their gradients are 0. The backward pass takes d loss / d score of each
// document and adds d loss / d parameter. All sums run in the order of inputs or documents, so that
// results are the same bits for any instruction set, and those of one document after the other.
// Cost per document: a multiplication a weight forward, two backward, eight at a time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
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

// What the documents' way forward leaves for the way back: the values of every unit. Those of one
// unit lie side by side, block_row(documents) to a unit (input_blocks.h).
class NetworkPass {
 public:
  explicit NetworkPass(const NetworkShape& shape);

  // The documents' scores; valid until the next call, as `inputs` must be until backward() is done.
  // Both throw Error{kInterrupted} when stopped, in large work somewhere in between.
  std::span<const double> forward(std::span<const double> parameters, const double* inputs,
                                  std::size_t num_documents, const Context& context);
  // After forward() with the same parameters; `slopes` has one per document.
  void backward(std::span<const double> parameters, std::span<const double> slopes,
                std::span<double> gradient, const Context& context);

 private:
  std::size_t size(std::size_t level) const { return shape_.sizes[level]; }
  const double* values(std::size_t level) const {
    return level == 0 ? inputs_ : values_[level - 1].data();
  }
  void turn_slopes(std::size_t layer);
  void add_gradient(std::size_t layer, std::span<double> gradient, const Context& context);
  void slopes_below(std::span<const double> parameters, std::size_t layer, const Context& context);

  const NetworkShape& shape_;
  const double* inputs_ = nullptr;
  std::size_t num_documents_ = 0;
  std::size_t row_ = 0;                      // numbers kept for a unit
  std::vector<std::vector<double>> values_;  // by layer: what its units put out
  std::vector<std::vector<double>> slopes_;  // by layer: d loss / d sum of a unit
  std::vector<double> turned_;               // a layer's slopes, those of a document side by side
};

enum class InitialWeights { kScaled, kUniform };

// kScaled: normal with variance 2 / inputs (He et al. 2015), biases 0; kUniform: all of them,
// biases too, uniform in [-0.1, 0.1], as RankLib. Drawn by the seed.
std::vector<double> initial_parameters(const NetworkShape& shape, InitialWeights initial,
                                       std::uint64_t seed);

// The layers with these parameters.
std::vector<MlpLayer> layers_of(const NetworkShape& shape, std::span<const double> parameters);

}  // namespace glassrank
