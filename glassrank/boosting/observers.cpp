#include "glassrank/boosting/observers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glassrank {

MeanCost mean_cost(std::span<const RoundCost> costs) {
  MeanCost mean;
  for (const RoundCost& cost : costs) {
    if (cost.all_rows == 0) continue;
    ++mean.num_rounds;
    mean.row_share += static_cast<double>(cost.rows) / static_cast<double>(cost.all_rows);
    mean.seconds += cost.seconds;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(mean.num_rounds, 1));
  mean.row_share /= count;
  mean.seconds /= count;
  return mean;
}

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

RoundProgress::RoundProgress(const Context& context, const Setup& setup,
                             std::vector<std::string> names, const EarlyStopping* stopping)
    : num_given_(setup.num_given),
      progress_(context, fmt::format("training{}{}", setup.name.empty() ? "" : " ", setup.name),
                "rounds", setup.num_rounds),
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
  const std::size_t round = event.round + 1 - setup_.num_given;
  costs_.push_back(event.cost);
  if (event.replayed || round % setup_.every != 0) return true;
  std::string line = fmt::format("[{}]{}{}", round, setup_.name.empty() ? "" : " ", setup_.name);
  for (std::size_t m = 0; m < names_.size(); ++m) {
    const bool is_first = m == 0 && setup_.name.empty();
    line += fmt::format("{}{}: {:.6f}", is_first ? " " : "  ", names_[m], event.metrics[m]);
  }
  if (setup_.is_sampled) {
    const MeanCost cost = mean_cost(costs_);
    line +=
        fmt::format("  rows: {:.2f} %  {:.1f} ms a tree", 100 * cost.row_share, 1e3 * cost.seconds);
  }
  costs_.clear();
  context_.info(line);
  return true;
}

}  // namespace glassrank
