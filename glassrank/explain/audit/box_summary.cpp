#include "glassrank/explain/audit/box_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace glassrank {
namespace {

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace

void BoxSummary::visit(ResultVisitor& visitor) const {
  visitor.field("count", count, "numbers");
  visitor.field("mean", mean, "of them");
  visitor.field("standard_deviation", standard_deviation, "of a sample");
  visitor.field("least", least, "of them");
  visitor.field("lower_quartile", lower_quartile, "a quarter is below");
  visitor.field("median", median, "half is below");
  visitor.field("upper_quartile", upper_quartile, "a quarter is above");
  visitor.field("largest", largest, "of them");
}

double BoxSummary::standard_error() const {
  return count == 0 ? 0 : standard_deviation / std::sqrt(static_cast<double>(count));
}

BoxSummary box_summary(std::span<const double> values) {
  std::vector<double> sorted;
  std::ranges::copy_if(values, std::back_inserter(sorted), [](double v) { return !std::isnan(v); });
  if (sorted.empty()) return {};
  const auto count = static_cast<double>(sorted.size());
  // In the order given: the sum does not depend on the sorting of equal numbers.
  double sum = 0;
  for (const double value : sorted) sum += value;
  BoxSummary spread{.count = sorted.size(), .mean = sum / count};
  double squares = 0;
  for (const double value : sorted) squares += (value - spread.mean) * (value - spread.mean);
  spread.standard_deviation = sorted.size() < 2 ? 0 : std::sqrt(squares / (count - 1));
  std::ranges::sort(sorted);
  spread.least = sorted.front();
  spread.lower_quartile = quantile(sorted, 0.25);
  spread.median = quantile(sorted, 0.5);
  spread.upper_quartile = quantile(sorted, 0.75);
  spread.largest = sorted.back();
  return spread;
}

}  // namespace glassrank
