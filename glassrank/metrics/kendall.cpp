#include "glassrank/metrics/kendall.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace glassrank {
namespace {

double pairs(std::size_t n) { return static_cast<double>(n) * (static_cast<double>(n) - 1) / 2; }

// Number of i < j with values[i] < values[j]; leaves the values sorted descending.
double count_ascents(std::span<float> values, std::span<float> scratch) {
  if (values.size() < 2) return 0;
  const std::size_t half = values.size() / 2;
  double ascents = count_ascents(values.first(half), scratch.first(half)) +
                   count_ascents(values.subspan(half), scratch.subspan(half));
  std::size_t left = 0;
  std::size_t right = half;
  for (float& out : scratch) {
    const bool from_right = right < values.size() && (left == half || values[right] > values[left]);
    if (from_right) ascents += static_cast<double>(half - left);
    out = values[from_right ? right++ : left++];
  }
  std::ranges::copy(scratch, values.begin());
  return ascents;
}

// Pairs of equal values in a sorted range.
double equal_pairs(std::span<const float> sorted) {
  double count = 0;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    count += pairs(end - begin);
    begin = end;
  }
  return count;
}

class KendallMetric final : public Metric {
 public:
  explicit KendallMetric(const Convention& convention) : Metric(kNoCutoff, convention.empty) {}

  bool needs_tie_groups() const override { return true; }

  double evaluate(const Ranking& ranking) const override {
    std::vector<float> grades(ranking.grades.begin(), ranking.grades.end());
    double equal_scores = 0;
    double equal_both = 0;
    for_each_tie_group(ranking, grades.size(), [&](std::size_t begin, std::size_t end) {
      // Within a run no pair may count as an ascent.
      const std::span<float> run(grades.data() + begin, end - begin);
      std::ranges::sort(run, std::greater{});
      equal_scores += pairs(run.size());
      equal_both += equal_pairs(run);
    });
    std::vector<float> scratch(grades.size());
    const double discordant = count_ascents(grades, scratch);
    const double all = pairs(grades.size());
    const double equal_grades = equal_pairs(grades);
    if (equal_grades == all) return std::numeric_limits<double>::quiet_NaN();
    if (equal_scores == all) return 0;
    const double concordant = all - equal_scores - equal_grades + equal_both - discordant;
    return (concordant - discordant) /
           (std::sqrt(all - equal_scores) * std::sqrt(all - equal_grades));
  }
};

}  // namespace

MetricInfo kendall_info() {
  static constexpr std::string_view kAliases[] = {"tau"};
  return {.name = "kendall",
          .aliases = kAliases,
          .doc = "Kendall's tau-b between scores and grades",
          .params = {},
          .has_cutoff = false,
          .make = [](const MetricSpec&, const Convention& convention) -> std::unique_ptr<Metric> {
            return std::make_unique<KendallMetric>(convention);
          }};
}

}  // namespace glassrank
