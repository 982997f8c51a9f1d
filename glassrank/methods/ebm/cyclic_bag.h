#pragma once
// What cyclic boosting keeps of one bag: its tables as they grow and as they were at the best
// visit, its losses, and when it stops.
//
// Stopping, as interpret does it: a run of rounds begins with the smallest loss seen so far as its
// mark; it ends when a round's last loss is below mark - tolerance, and a new one begins; when a
// run has lasted `patience` rounds, boosting stops.
// Without a loss (NaN from the start: nothing held out) every round is done and the last tables are
// kept. A loss that becomes NaN is one of scores that grew beyond all numbers: boosting stops, and
// the best tables before stay.
// Memory: twice the tables.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/methods/ebm/step.h"

namespace glassrank {

// The form of an effect's table: width 0 is a curve of `height` cells.
struct EffectShape {
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
  std::vector<std::vector<double>> tables;  // one per effect
  std::size_t num_rounds = 0;
  std::size_t best_visit = 0;  // visits kept; num_rounds * effects without a loss
  double start_loss = std::numeric_limits<double>::quiet_NaN();
  double best_loss = std::numeric_limits<double>::quiet_NaN();
  bool is_interrupted = false;
  bool has_diverged = false;  // scores grew beyond all numbers
};

class CyclicBag {
 public:
  // `rules` outlive it.
  CyclicBag(std::span<const EffectShape> effects, const CyclicRules& rules, double start_loss);

  // A visit's step, values of neighbouring cells `stride` apart; a visit without one calls only
  // end_visit.
  void add(std::size_t effect, std::span<const float> step, std::size_t stride = 1) {
    add_to(effect, step, 1, stride);
  }
  // The same in units of the errors.
  void add(std::size_t effect, std::span<const std::int32_t> step, double unit,
           std::size_t stride) {
    add_to(effect, step, unit, stride);
  }
  void end_visit() { ++num_visits_; }
  // The loss after the visits so far: keeps their tables if it is the smallest, or there is none.
  void measure(double loss);
  // Whether boosting is over with this round; its last loss has been measured.
  bool end_round(double last_loss);
  void interrupt() { result_.is_interrupted = true; }
  std::size_t num_rounds() const { return result_.num_rounds; }
  CyclicResult take_result();

 private:
  bool has_loss() const;
  template <typename Value>
  void add_to(std::size_t effect, std::span<const Value> step, double unit, std::size_t stride);

  const CyclicRules& rules_;
  std::vector<std::vector<double>> now_;
  std::vector<std::size_t> changed_;  // since the best visit: only these are copied
  std::vector<bool> is_changed_;
  std::size_t num_visits_ = 0;
  double mark_ = 0;
  std::size_t run_ = 0;
  CyclicResult result_;  // tables and loss are those of the best visit so far
};

}  // namespace glassrank
