#pragma once
// The rows of one bag while its effects are boosted: gradients of the training rows, the loss of
// the held-out ones, and what a step changes in both.
//
// Between two looks at the objective gradients follow the scores by their own slope,
//   gradient += hessian * step,
// Newton's quadratic model; the objective is asked again after every round or every
// `gradients_every` visits. The held-out rows are judged by a metric (its negative is the loss)
// after every round. Squared error, for which the model is exact and the loss is known after every
// visit, has a faster way (lane_boosting.h).
// Sums are integers of units that all machines agree on (fixed_point.h), so they do not depend on
// how rows lie on machines and threads. Everything here is collective.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/observers.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/ebm/step.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

// The cell of every row in one effect.
template <typename Code>
struct EffectCodes {
  std::span<const Code> train;
  std::span<const Code> valid;
  std::size_t num_cells = 0;
};

struct BagData {
  BinnedDataset train;
  BinnedDataset valid;  // without rows on any machine: nothing is held out, losses are NaN
};

struct BagScores {
  std::vector<double> train;
  std::vector<double> valid;
};

class BagRows {
 public:
  virtual ~BagRows() = default;
  // Gradients, hessians and rows of every cell of a effect, at the present scores.
  virtual void sum_cells(std::size_t effect, std::span<CellSum> cells) = 0;
  // Adds step[cell] to the score of every row.
  virtual void add_step(std::size_t effect, std::span<const float> step) = 0;
  virtual void end_round() {}
  // Of the held-out rows at the present scores; smaller is better.
  virtual double loss() = 0;
  // Whether the loss is asked after every visit, not after every round only. A metric costs too
  // much for that; it is for squared error row by row, which the faster way is tested against.
  virtual bool has_loss_of_visits() const = 0;
};

// What the rows work towards; all of it outlives them.
struct BagTarget {
  const Objective& objective;       // prepared for the training rows
  std::size_t gradients_every = 0;  // visits; 0: once a round
  MetricFunction metric = {};       // of the held-out rows; larger is better
  const Context& context;
  std::size_t num_parts = 1;  // of the rows, worked on at once
};

// For curves and for surfaces. The codes' arrays outlive the rows.
std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const EffectCodes<std::uint8_t>> effects,
                                       const BagScores& start, const BagTarget& target);
std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const EffectCodes<std::uint16_t>> effects,
                                       const BagScores& start, const BagTarget& target);

}  // namespace glassrank
