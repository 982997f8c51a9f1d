#include "glassrank/metrics/paired_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

// Squares and sums of anything smaller stay finite.
constexpr double kLargestValue = 1e150;

}  // namespace

void check_paired(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    fail(ErrorKind::kInput, "paired values must cover the same queries: {} against {}", a.size(),
         b.size());
  }
  if (a.empty()) fail(ErrorKind::kInput, "there are no queries to compare on");
  for (const auto values : {a, b}) {
    const auto usable = [](double v) { return std::abs(v) <= kLargestValue; };
    const auto bad = std::ranges::find_if_not(values, usable);
    if (bad != values.end()) {
      fail(ErrorKind::kInput, "value {} of query number {} is not a number of at most {:g}", *bad,
           bad - values.begin() + 1, kLargestValue);
    }
  }
}

std::vector<double> paired_differences(std::span<const double> a, std::span<const double> b) {
  check_paired(a, b);
  std::vector<double> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), std::minus<>());
  return differences;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

StudentResult paired_t_test(std::span<const double> a, std::span<const double> b, double level) {
  const std::vector<double> d = paired_differences(a, b);
  const auto n = static_cast<double>(d.size());
  StudentResult result{.mean_difference = mean_of(d), .degrees = n - 1};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (d.size() == 1) {
    result.interval = {-kInfinity, kInfinity};
    return result;
  }
  double squares = 0;
  for (const double x : d) squares += (x - result.mean_difference) * (x - result.mean_difference);
  const double error = std::sqrt(squares / (n - 1) / n);
  const double margin = student_t_quantile((1 + level) / 2, n - 1) * error;
  result.interval = {result.mean_difference - margin, result.mean_difference + margin};
  if (error == 0 && result.mean_difference == 0) return result;
  result.t =
      error > 0 ? result.mean_difference / error : std::copysign(kInfinity, result.mean_difference);
  result.p = {.two_sided = student_t_two_sided(result.t, n - 1),
              .greater = student_t_upper(result.t, n - 1),
              .less = student_t_upper(-result.t, n - 1)};
  return result;
}

WinTieLoss count_wins(std::span<const double> a, std::span<const double> b) {
  check_paired(a, b);
  WinTieLoss counts;
  for (std::size_t q = 0; q < a.size(); ++q) {
    counts.wins += a[q] > b[q] ? 1 : 0;
    counts.losses += a[q] < b[q] ? 1 : 0;
  }
  counts.ties = a.size() - counts.wins - counts.losses;
  return counts;
}

}  // namespace glassrank
