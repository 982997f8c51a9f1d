#include "glassrank/explain/audit/self_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassrank {
namespace {

double share_of_largest(double amount, std::span<const double> attributions) {
  double largest = 0;
  for (const double attribution : attributions) largest = std::max(largest, std::abs(attribution));
  if (amount == 0) return 0;
  return largest > 0 ? amount / largest : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<double> additivity_residual(const Explanation& explanation) {
  if (explanation.attributions.empty()) return std::nullopt;
  double sum = explanation.base_value;
  for (const double attribution : explanation.attributions) sum += attribution;
  return share_of_largest(std::abs(sum - explanation.value), explanation.attributions);
}

std::optional<double> error_share(const Explanation& explanation) {
  if (explanation.attributions.empty()) return std::nullopt;
  if (explanation.standard_errors.empty()) {
    return explanation.is_sampled ? std::nullopt : std::optional(0.0);
  }
  return share_of_largest(std::ranges::max(explanation.standard_errors), explanation.attributions);
}

std::vector<double> errors_over_seeds(const Explanation& explanation,
                                      std::span<const Explanation> with_other_seeds) {
  if (explanation.attributions.empty() || with_other_seeds.empty()) return {};
  const auto num_seeds = static_cast<double>(with_other_seeds.size() + 1);
  std::vector<double> errors;
  for (std::size_t f = 0; f < explanation.attributions.size(); ++f) {
    double mean = explanation.attributions[f] / num_seeds;
    for (const Explanation& other : with_other_seeds) mean += other.attributions[f] / num_seeds;
    const auto square = [&](const Explanation& answer) {
      return (answer.attributions[f] - mean) * (answer.attributions[f] - mean);
    };
    double squares = square(explanation);
    for (const Explanation& other : with_other_seeds) squares += square(other);
    errors.push_back(std::sqrt(squares / (num_seeds - 1)));
  }
  return errors;
}

double shared_features(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const std::size_t larger = std::max(a.size(), b.size());
  if (larger == 0) return 1;
  const auto in_both =
      std::ranges::count_if(a, [&](std::uint32_t f) { return std::ranges::find(b, f) != b.end(); });
  return static_cast<double>(in_both) / static_cast<double>(larger);
}

std::optional<double> stability(const Explanation& explanation,
                                std::span<const Explanation> with_other_seeds) {
  const auto names_none = [](const Explanation& each) { return each.features.empty(); };
  if (names_none(explanation) && std::ranges::all_of(with_other_seeds, names_none)) {
    return std::nullopt;
  }
  if (with_other_seeds.empty()) return std::nullopt;
  double sum = 0;
  for (const Explanation& other : with_other_seeds) {
    sum += shared_features(explanation.features, other.features);
  }
  return sum / static_cast<double>(with_other_seeds.size());
}

}  // namespace glassrank
