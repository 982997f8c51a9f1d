#include "glassrank/metrics/dcg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/metrics/swap_delta.h"

namespace glassrank {
namespace {

// Whole grades below this are counted instead of sorted.
constexpr std::size_t kMaxLevels = 32;
// Discounts of deeper ranks are computed when met.
constexpr std::size_t kMaxDiscounts = 1024;

using LevelCounts = std::array<std::uint32_t, kMaxLevels>;

// Adds the grades to counts[grade]; false if one is not a whole number below num_levels.
bool count_levels(std::span<const float> grades, std::size_t num_levels, LevelCounts& counts) {
  for (const float grade : grades) {
    if (!(grade < static_cast<float>(num_levels))) return false;
    const int level = static_cast<int>(grade);
    if (level < 0 || static_cast<float>(level) != grade) return false;
    ++counts[static_cast<std::size_t>(level)];
  }
  return true;
}

// An infinite ideal would make NDCG 0 or NaN, which reads as an empty query.
double checked_ideal(double sum) {
  if (!std::isfinite(sum)) {
    fail(ErrorKind::kInput,
         "the gains add up to more than a number can hold; choose gain = linear, or gain = table "
         "with smaller gains");
  }
  return sum;
}

class DcgSwapDeltas final : public SwapDeltas {
 public:
  DcgSwapDeltas(std::vector<double> gains, std::vector<double> discounts)
      : gains_(std::move(gains)), discounts_(std::move(discounts)) {}

 private:
  double change_below(std::size_t above, std::size_t below) override {
    return (gains_[below] - gains_[above]) * (discounts_[above] - discounts_[below]);
  }

  std::vector<double> gains_;
  std::vector<double> discounts_;
};

class DcgMetric final : public Metric {
 public:
  DcgMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, zero_unless_skipped(convention.empty)),
        dcg_({convention.gain, convention.gain_table}, spec.cutoff) {}

  double evaluate(const Ranking& ranking) const override {
    const double ideal =
        ranking.ideal ? *ranking.ideal : dcg_.ideal(ranking.listed, ranking.missed);
    return ideal == 0 ? std::numeric_limits<double>::quiet_NaN() : dcg_.of(ranking);
  }
  std::optional<double> ideal(std::span<const float> listed,
                              std::span<const float> missed) const override {
    return dcg_.ideal(listed, missed);
  }
  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const override {
    return dcg_.swap_deltas(ranking, 1);
  }

 private:
  Dcg dcg_;
};

}  // namespace

Dcg::Dcg(Gain gain, std::size_t cutoff)
    : gain_(std::move(gain)),
      cutoff_(cutoff),
      discounts_(discount_table(std::min(cutoff, kMaxDiscounts))) {
  const std::size_t num_levels =
      gain_.kind == GainKind::kTable ? std::min(gain_.table.size(), kMaxLevels) : kMaxLevels;
  for (std::size_t level = 0; level < num_levels; ++level) {
    level_gains_.push_back(gain_(static_cast<double>(level)));
    levels_by_gain_.push_back(level);
  }
  std::ranges::stable_sort(levels_by_gain_, std::greater{},
                           [&](std::size_t level) { return level_gains_[level]; });
}

double Dcg::gain_of(float grade) const {
  if (grade >= 0 && grade < static_cast<float>(level_gains_.size())) {
    const auto level = static_cast<std::size_t>(grade);
    if (static_cast<float>(level) == grade) return level_gains_[level];
  }
  return gain_(grade);
}

double Dcg::of(const Ranking& ranking) const {
  if (ranking.average_ties) return expected(ranking);
  const std::size_t depth = std::min(cutoff_, ranking.grades.size());
  double sum = 0;
  for (std::size_t rank = 0; rank < depth; ++rank) {
    sum += gain_of(ranking.grades[rank]) * discount_at(rank);
  }
  return sum;
}

std::unique_ptr<SwapDeltas> Dcg::swap_deltas(const Ranking& ranking, double scale) const {
  const std::size_t n = ranking.grades.size();
  std::vector<double> gains(n);
  std::vector<double> discounts(n);  // 0 below the cutoff
  for (std::size_t rank = 0; rank < n; ++rank) gains[rank] = gain_of(ranking.grades[rank]) * scale;
  for (std::size_t rank = 0; rank < std::min(n, cutoff_); ++rank) {
    discounts[rank] = discount_at(rank);
  }
  return std::make_unique<DcgSwapDeltas>(std::move(gains), std::move(discounts));
}

double Dcg::expected(const Ranking& ranking) const {
  double sum = 0;
  for_each_tie_group(ranking, cutoff_, [&](std::size_t begin, std::size_t end) {
    double gains = 0;
    for (std::size_t rank = begin; rank < end; ++rank) gains += gain_of(ranking.grades[rank]);
    double discounts = 0;
    for (std::size_t rank = begin; rank < std::min(end, cutoff_); ++rank) {
      discounts += discount_at(rank);
    }
    sum += gains / static_cast<double>(end - begin) * discounts;
  });
  return sum;
}

double Dcg::ideal(std::span<const float> listed, std::span<const float> missed) const {
  LevelCounts counts{};
  if (!count_levels(listed, level_gains_.size(), counts) ||
      !count_levels(missed, level_gains_.size(), counts)) {
    return ideal_by_sorting(listed, missed);
  }
  double sum = 0;
  std::size_t rank = 0;
  for (const std::size_t level : levels_by_gain_) {
    const double gain = level_gains_[level];
    if (gain == 0 || rank == cutoff_) break;
    const std::size_t end = rank + std::min<std::size_t>(counts[level], cutoff_ - rank);
    for (; rank < end; ++rank) sum += gain * discount_at(rank);
  }
  return checked_ideal(sum);
}

double Dcg::ideal_by_sorting(std::span<const float> listed, std::span<const float> missed) const {
  std::vector<double> gains;
  gains.reserve(listed.size() + missed.size());
  for (const float grade : listed) gains.push_back(gain_(grade));
  for (const float grade : missed) gains.push_back(gain_(grade));
  std::ranges::sort(gains, std::greater{});
  double sum = 0;
  for (std::size_t rank = 0; rank < std::min(cutoff_, gains.size()); ++rank) {
    sum += gains[rank] * discount_at(rank);
  }
  return checked_ideal(sum);
}

MetricInfo dcg_info() {
  return {
      .name = "dcg",
      .aliases = {},
      .doc = "discounted cumulative gain: gains of the first k, divided by log2(rank + 1)",
      .params = {},
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<DcgMetric>(spec, convention);
      }};
}

}  // namespace glassrank
