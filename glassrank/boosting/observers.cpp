#include "glassrank/boosting/observers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glassrank {
namespace {

// "valid" of "valid ndcg@10", and "ndcg@10".
std::string_view set_of(std::string_view name) { return name.substr(0, name.find(' ')); }
std::string_view metric_of(std::string_view name) { return name.substr(set_of(name).size()); }

// The sets say enough where one metric is watched on all of them.
bool has_one_metric(std::span<const std::string> names) {
  return std::ranges::all_of(
      names, [&](const std::string& name) { return metric_of(name) == metric_of(names.front()); });
}

}  // namespace

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

std::string short_number(double value) {
  std::string text = fmt::format("{:.4f}", value);
  if (text.starts_with("0.")) return text.substr(1);
  if (text.starts_with("-0.")) return "-" + text.substr(2);
  return text;
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
  if (stopping_ != nullptr && stopping_->best_round() > 0) {
    const std::size_t m = stopping_->metric();
    detail = fmt::format("{} {} (best {} @{})", set_of(names_[m]), short_number(event.metrics[m]),
                         short_number(stopping_->best()), stopping_->best_round() - num_given_);
  } else {
    // Lines are cut at the right: what is held out comes first.
    for (const bool is_train : {false, true}) {
      for (std::size_t m = 0; m < names_.size(); ++m) {
        if ((set_of(names_[m]) == "train") != is_train) continue;
        const std::string_view name = has_one_metric(names_) ? set_of(names_[m]) : names_[m];
        detail += fmt::format("{}{} {}", detail.empty() ? "" : ", ", name,
                              short_number(event.metrics[m]));
      }
    }
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
