#pragma once
// Cyclic boosting of a bag: every effect is visited once a round and takes a small step; the tables
// after the visit with the smallest loss of the held-out rows are kept.
//
// Stopping, as interpret does it: a run of rounds begins with the smallest loss seen so far as its
// mark; it ends when a round's last loss is below mark - tolerance, and a new one begins; when a
// run has lasted `patience` rounds, boosting stops.
// Asked to stop, it ends with the round in work and the best tables so far.
// Without a loss (nothing held out) every round is done and the last tables are kept.
// Cost: rounds * effects visits (bag_rows.h); memory twice the tables.

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/methods/ebm/bag_rows.h"
#include "glassrank/methods/ebm/step.h"

namespace glassrank {

// The form of an effect's table: width 0 is a curve of `height` cells.
struct TermShape {
  std::size_t height = 0;
  std::size_t width = 0;

  bool is_surface() const { return width > 0; }
  std::size_t num_cells() const { return is_surface() ? height * width : height; }
};

struct CyclicRules {
  StepRules step;
  std::size_t max_rounds = 5000;
  std::size_t patience = 50;  // 0: never stops early
  double tolerance = 1e-4;
};

struct CyclicResult {
  std::vector<std::vector<double>> tables;  // one per term
  std::size_t num_rounds = 0;
  std::size_t best_visit = 0;  // visits kept; num_rounds * terms without a loss
  double start_loss = std::numeric_limits<double>::quiet_NaN();
  double best_loss = std::numeric_limits<double>::quiet_NaN();
  bool is_interrupted = false;
};

// Called after a round with how many are done and the loss.
using OnRound = std::function<void(std::size_t num_rounds, double loss)>;

// `on_round` may be empty.
CyclicResult boost_cyclically(BagRows& rows, std::span<const TermShape> terms,
                              const CyclicRules& rules, const OnRound& on_round,
                              const Context& context);

}  // namespace glassrank
