#include "glassrank/explain/counterfactual/contraction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace glassrank {
namespace {

constexpr int kMostTurns = 4;
constexpr int kValuesBetween = 15;
constexpr double kNearEnough = 1e-6;  // of a change: less is not worth a scoring

// Where a feature of a candidate passes, and where it does not.
struct Bracket {
  std::vector<ValueChange>* candidate;
  std::size_t change;
  float fails;
  bool is_start = true;  // `fails` is the present value, which nobody has tried
  std::vector<float> between = {};

  ValueChange& passing() const { return (*candidate)[change]; }
};

class Contraction {
 public:
  Contraction(const SearchTask& task, std::span<const FeatureLimit> limits, const Context& context)
      : task_(task), limits_(limits), context_(context) {}

  double cost(const std::vector<ValueChange>& changes) const {
    return cost_of(changes, task_.row, limits_);
  }

  void bring_back(std::vector<std::vector<ValueChange>>& candidates) const {
    for (int turn = 0; turn < kMostTurns; ++turn) {
      context_.check_stop();
      double gained = 0;
      for (auto& candidate : candidates) {
        gained += cost(candidate);
        std::ranges::stable_sort(candidate, std::greater<>(),
                                 [&](const ValueChange& change) { return cost({change}); });
      }
      for (std::size_t change = 0; change < task_.max_features; ++change) {
        std::vector<Bracket> brackets;
        for (auto& candidate : candidates) {
          if (change >= candidate.size()) continue;
          brackets.push_back({&candidate, change, task_.row[candidate[change].feature]});
        }
        while (narrow(brackets)) {
        }
      }
      for (auto& candidate : candidates) {
        std::erase_if(candidate, [&](const ValueChange& change) {
          return change.to == task_.row[change.feature];
        });
        gained -= cost(candidate);
      }
      if (!(gained > 0)) return;
    }
  }

 private:
  // Towards `to`, evenly, each as the limits have it.
  std::vector<float> values_between(const Bracket& bracket) const {
    const FeatureLimit& limit = limits_[bracket.passing().feature];
    const float present = task_.row[bracket.passing().feature];
    const float to = bracket.passing().to;
    std::vector<float> values;
    if (bracket.is_start) values.push_back(present);
    const double way = static_cast<double>(to) - bracket.fails;
    if (limit.is_category || !(std::abs(way) > kNearEnough * std::abs(to - present))) return values;
    for (int i = 1; i <= kValuesBetween; ++i) {
      const auto value = limit.rounded(present, bracket.fails + way * i / (kValuesBetween + 1));
      const bool is_inside =
          way > 0 ? value > bracket.fails && value < to : value < bracket.fails && value > to;
      if (is_inside && limit.allows(present, value)) values.push_back(value);
    }
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
  }

  // One step for all of them; whether there was anything to try.
  bool narrow(std::vector<Bracket>& brackets) const {
    std::vector<float> rows;
    std::size_t num_rows = 0;
    for (Bracket& bracket : brackets) {
      bracket.between = values_between(bracket);
      std::vector<float> row(task_.row.begin(), task_.row.end());
      for (const ValueChange& change : *bracket.candidate) row[change.feature] = change.to;
      for (const float value : bracket.between) {
        row[bracket.passing().feature] = value;
        rows.insert(rows.end(), row.begin(), row.end());
      }
      num_rows += bracket.between.size();
    }
    if (num_rows == 0) return false;
    std::vector<double> scores(num_rows);
    task_.scorer.score({rows.data(), num_rows, task_.row.size()}, scores, context_);
    const double* score = scores.data();
    for (Bracket& bracket : brackets) {
      const auto passes = std::find_if(score, score + bracket.between.size(),
                                       [&](double each) { return task_.goal.passes(each); });
      const auto first = static_cast<std::size_t>(passes - score);
      score += bracket.between.size();
      if (first > 0) bracket.fails = bracket.between[first - 1];
      if (first < bracket.between.size()) bracket.passing().to = bracket.between[first];
      bracket.is_start = false;
    }
    return true;
  }

  const SearchTask& task_;
  const std::span<const FeatureLimit> limits_;
  const Context& context_;
};

}  // namespace

double cost_of(std::span<const ValueChange> changes, std::span<const float> row,
               std::span<const FeatureLimit> limits) {
  double sum = 0;
  for (const ValueChange& change : changes) {
    sum += limits[change.feature].cost(row[change.feature], change.to);
  }
  return sum;
}

std::vector<ValueChange> brought_back(const SearchTask& task, std::span<const FeatureLimit> limits,
                                      std::vector<std::vector<ValueChange>> candidates,
                                      const Context& context) {
  const Contraction contraction(task, limits, context);
  contraction.bring_back(candidates);
  return *std::ranges::min_element(candidates, {}, [&](const std::vector<ValueChange>& changes) {
    return std::pair(task.fewest_first ? changes.size() : 0, contraction.cost(changes));
  });
}

}  // namespace glassrank
