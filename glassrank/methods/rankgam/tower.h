#pragma once
// A tower of Neural RankGAM: one feature's small network, with its gradients.
//
//   x -> batch norm -> dense 16 -> batch norm -> ReLU -> dropout
//     -> dense 8 -> batch norm -> ReLU -> dropout -> dense 1
//
// Batch norm: gamma * (x - mean) / sqrt(variance + 1e-3) + beta, over the batch when training, over
// running means otherwise. Dense layers have no bias: batch norm would take the first two away
// again, and the last is one constant for all documents, which no ranking sees.
// Dropout multiplies by 0 with the given chance (in 256ths) and by 1 / (1 - chance) otherwise.
// A tower is one thread's work. Cost: about 160 multiplications a row and direction.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "glassrank/base/random.h"

namespace glassrank {

struct TowerShape {
  std::size_t first = 16;
  std::size_t second = 8;
  double dropout = 0.5;

  std::size_t num_parameters() const { return 2 + 3 * first + first * second + 3 * second; }
  // Means and variances of the three batch norms.
  std::size_t num_statistics() const { return 2 + 2 * first + 2 * second; }
};

// What a forward pass leaves for the backward one; memory is reused.
template <typename Scalar>
struct TowerPass {
  using Rows = Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  struct Layer {
    Rows normal;  // after normalising, before gamma and beta
    Rows factor;  // 0, or what ReLU and dropout multiply by
    Rows output;
    Eigen::Array<Scalar, Eigen::Dynamic, 1> inverse_deviation;
  };
  Rows input_normal;  // 1 x rows
  Rows input;
  Layer first;
  Layer second;
  Rows gradient;                   // scratch
  std::vector<Scalar> statistics;  // of this batch: means and variances, as num_statistics says
};

template <typename Scalar>
class Tower {
 public:
  using Rows = typename TowerPass<Scalar>::Rows;
  // Glorot-uniform weights, gammas 1, betas 0.
  Tower(const TowerShape& shape, RandomSequence random);

  std::span<Scalar> parameters() { return parameters_; }
  std::span<const Scalar> parameters() const { return parameters_; }

  // Training: normalises over `x` itself, drops by `dropout`'s draws.
  void forward(std::span<const Scalar> x, const CounterRandom& dropout, TowerPass<Scalar>& pass,
               std::span<Scalar> output) const;
  // Writes the gradient of every parameter, given that of the output.
  void backward(std::span<const Scalar> output_gradient, TowerPass<Scalar>& pass,
                std::span<Scalar> gradient) const;
  // Moves the running means towards a batch's; the first batches count fully (no bias to a start).
  void remember(std::span<const Scalar> statistics, double momentum);
  // Scoring: running means, no dropout.
  void score(std::span<const float> x, std::span<float> output) const;

 private:
  // Offsets of the parts of parameters_.
  struct Layout;
  Layout layout() const;

  TowerShape shape_;
  std::vector<Scalar> parameters_;
  std::vector<double> statistics_;  // running sums of means and variances
  double statistics_weight_ = 0;
};

extern template class Tower<float>;
extern template class Tower<double>;

}  // namespace glassrank
