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
// A tower is one thread's work. Cost: about 160 multiplications a row forward, twice that backward.
//
// The first layer normalises twice what is one number a row. Of the normalised value x (mean 0,
// variance v), with the input's gamma and beta and a unit's weight w,
//   w (gamma x + beta) has mean w beta and variance (w gamma)^2 v: normal = w gamma x / deviation,
// so a unit is a line of x, on the way back as well. Rows are gone through in tower_kernel.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/random.h"
#include "glassrank/methods/rankgam/tower_kernel.h"
#include "glassrank/methods/training/state_archive.h"

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
struct TowerPass {
  std::size_t num_rows = 0;
  Buffer<float> x;  // normalised
  Buffer<float> z;
  Buffer<std::uint8_t> first_draws;
  Buffer<std::uint8_t> second_draws;
  FoldedTower folded;
  std::vector<double> first_inverses;  // 1 / deviation of the first layer's units
  std::vector<double> statistics;      // of this batch: means and variances, as num_statistics says

  // What a row takes of the above.
  static std::size_t num_row_bytes(const TowerShape& shape) {
    return sizeof(float) * (1 + shape.second) + shape.first + shape.second;
  }
};

class Tower {
 public:
  // Glorot-uniform weights, gammas 1, betas 0.
  Tower(const TowerShape& shape, RandomSequence random);

  const TowerShape& shape() const { return shape_; }
  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameters() const { return parameters_; }

  // Training: normalises over `x` itself, drops by `dropout`'s draws.
  void forward(std::span<const float> x, const CounterRandom& dropout, TowerPass& pass,
               std::span<float> output) const;
  // Writes the gradient of every parameter, given that of the output.
  void backward(std::span<const float> output_gradient, const TowerPass& pass,
                std::span<float> gradient) const;
  // Moves the running means towards a batch's; the first batches count fully (no bias to a start).
  void remember(std::span<const double> statistics, double momentum);
  // Everything that training changes.
  void archive(StateArchive& state) { state(parameters_, statistics_, statistics_weight_); }
  // Scoring: running means, no dropout.
  void score(std::span<const float> x, std::span<float> output) const;

 private:
  // Offsets of the parts of parameters_.
  struct Layout;
  Layout layout() const;
  void fold_first(const MeanAndVariance& input, TowerPass& pass) const;
  void fold_second(float kept, FoldedTower& folded) const;
  void back_to_first(const FirstSums& sums, const TowerPass& pass, std::span<float> gradient) const;

  TowerShape shape_;
  std::vector<float> parameters_;
  std::vector<double> statistics_;  // running sums of means and variances
  double statistics_weight_ = 0;
};

}  // namespace glassrank
