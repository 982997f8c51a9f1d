#include "glassrank/boosting/observers.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glassrank {

bool EarlyStopping::after_round(const RoundEvent& event) {
  const double value = event.metrics[rule_.metric];
  const double gained = rule_.larger_is_better ? value - best_ : best_ - value;
  if (!best_trees_ || std::isnan(best_) || gained > rule_.min_delta) {
    best_ = value;
    best_trees_ = event.round + 1;
  }
  return event.round + 1 - *best_trees_ < rule_.patience;
}

bool LearningCurve::after_round(const RoundEvent& event) {
  rounds_.emplace_back(event.metrics.begin(), event.metrics.end());
  costs_.push_back(event.cost);
  return true;
}

bool Checkpoint::after_round(const RoundEvent& event) {
  if (!event.replayed && (event.round + 1) % every_ == 0) save_(event);
  return true;
}

RoundProgress::RoundProgress(const Context& context, std::size_t num_rounds,
                             std::vector<std::string> names, std::size_t num_given,
                             const EarlyStopping* stopping)
    : num_given_(num_given),
      progress_(context, "training", "rounds", num_rounds),
      names_(std::move(names)),
      stopping_(stopping) {}

bool RoundProgress::after_round(const RoundEvent& event) {
  std::string detail;
  for (std::size_t m = 0; m < names_.size(); ++m) {
    detail += fmt::format("{}{} {:.5f}", m == 0 ? "" : "  ", names_[m], event.metrics[m]);
  }
  if (stopping_ != nullptr && stopping_->best_round() > 0) {
    detail +=
        fmt::format("  best {:.5f} at {}", stopping_->best(), stopping_->best_round() - num_given_);
  }
  progress_.add(1);
  progress_.report(detail);
  return true;
}

bool RoundLog::after_round(const RoundEvent& event) {
  const std::size_t round = event.round + 1 - num_given_;
  if (event.replayed || round % every_ != 0) return true;
  std::string line = fmt::format("[{}]", round);
  for (std::size_t m = 0; m < names_.size(); ++m) {
    line += fmt::format("{}{}: {:.6f}", m == 0 ? " " : "  ", names_[m], event.metrics[m]);
  }
  context_.info(line);
  return true;
}

}  // namespace glassrank
