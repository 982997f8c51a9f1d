#include "glassrank/boosting/sampling/negative_counts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glassrank {

std::span<const std::pair<std::string_view, Rounding>> EnumNames<Rounding>::table() {
  static constexpr std::array<std::pair<std::string_view, Rounding>, 3> kNames = {
      {{"floor", Rounding::kFloor}, {"round", Rounding::kRound}, {"ceil", Rounding::kCeil}}};
  return kNames;
}

std::span<const std::pair<std::string_view, NegativeBase>> EnumNames<NegativeBase>::table() {
  static constexpr std::array<std::pair<std::string_view, NegativeBase>, 3> kNames = {
      {{"ratio", NegativeBase::kRatio},
       {"multiple", NegativeBase::kMultiple},
       {"positives", NegativeBase::kPositives}}};
  return kNames;
}

std::span<const std::pair<std::string_view, AdaptiveStrategy>>
EnumNames<AdaptiveStrategy>::table() {
  static constexpr std::array<std::pair<std::string_view, AdaptiveStrategy>, 4> kNames = {
      {{"none", AdaptiveStrategy::kNone},
       {"fixed", AdaptiveStrategy::kFixed},
       {"ratio", AdaptiveStrategy::kRatio},
       {"mix", AdaptiveStrategy::kMix}}};
  return kNames;
}

NegativeFactors adapt(const NegativeFactors& factors, AdaptiveStrategy strategy, double better) {
  NegativeFactors adapted = factors;
  const double between = factors.random + (1 - better) * (factors.top - factors.random);
  switch (strategy) {
    case AdaptiveStrategy::kNone:
      break;
    case AdaptiveStrategy::kFixed:
      adapted.top = adapted.random = between;
      break;
    case AdaptiveStrategy::kRatio:
      adapted.top = (factors.top + factors.random) * better;
      adapted.random = (factors.top + factors.random) * (1 - better);
      break;
    case AdaptiveStrategy::kMix:
      adapted.top = between * better;
      adapted.random = between * (1 - better);
      break;
  }
  return adapted;
}

double better_share(std::span<const std::uint8_t> better_rounds, std::size_t window) {
  const std::span<const std::uint8_t> last =
      better_rounds.last(std::min(window, better_rounds.size()));
  if (last.empty()) return 1;
  return static_cast<double>(std::ranges::count(last, 1)) / static_cast<double>(last.size());
}

std::size_t round_count(double value, Rounding rounding) {
  const double slack = 1e-9 * std::max(1.0, value);
  switch (rounding) {
    case Rounding::kFloor:
      return static_cast<std::size_t>(std::floor(value + slack));
    case Rounding::kRound:
      return static_cast<std::size_t>(std::floor(value + 0.5 + slack));
    case Rounding::kCeil:
      break;
  }
  return static_cast<std::size_t>(std::max(0.0, std::ceil(value - slack)));
}

NegativeCounts count_negatives(const CountRule& rule, std::size_t base, std::size_t num_negatives) {
  const auto count = [&](double factor) {
    // Beyond what a count can hold every document is meant.
    const double wanted = factor * static_cast<double>(base);
    return wanted >= static_cast<double>(num_negatives) ? num_negatives
                                                        : round_count(wanted, rule.rounding);
  };
  NegativeCounts counts;
  counts.top = count(rule.factors.top);
  counts.bottom = std::min(count(rule.factors.bottom), num_negatives - counts.top);
  counts.random = std::min(count(rule.factors.random), num_negatives - counts.top - counts.bottom);
  const std::size_t least = std::min(rule.min_negatives, num_negatives);
  if (counts.all() < least) {
    (rule.factors.top > 0 ? counts.top : counts.random) += least - counts.all();
  }
  return counts;
}

}  // namespace glassrank
