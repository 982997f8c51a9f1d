#pragma once
// What every paired test of two systems shares, Student's paired t, and win/tie/loss counts.
//
// Inputs are per-query values of systems A and B over the same queries in the same order; the
// difference is always A - B, a direction fixed before looking at the data.
//
//   t = mean(d) / (sd(d) / sqrt(n)),   n - 1 degrees of freedom   (Student 1908)
//   interval: mean(d) -+ t_{(1+level)/2, n-1} sd(d) / sqrt(n)
//
// Values must be numbers of at most 1e150 and there must be at least one query; Error{kInput} otherwise.

#include <cstddef>
#include <span>
#include <vector>

namespace glassrank {

// Probabilities under the null of a difference at least as extreme as the observed one.
struct PValues {
  double two_sided = 1.0;
  double greater = 1.0;  // alternative: A is better than B
  double less = 1.0;     // alternative: A is worse than B
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// Throws Error{kInput} unless both have the same positive length and usable values.
void check_paired(std::span<const double> a, std::span<const double> b);
// a[q] - b[q], checked.
std::vector<double> paired_differences(std::span<const double> a, std::span<const double> b);

double mean_of(std::span<const double> values);

struct StudentResult {
  double mean_difference = 0.0;
  double t = 0.0;  // infinite when every query differs by the same non-zero amount
  double degrees = 0.0;
  PValues p = {};  // all 1 when no query differs or there is only one query
  Interval interval = {};
};
StudentResult paired_t_test(std::span<const double> a, std::span<const double> b,
                            double level = 0.95);

// Queries on which A is better than, exactly equal to and worse than B.
struct WinTieLoss {
  std::size_t wins = 0;
  std::size_t ties = 0;
  std::size_t losses = 0;
};
WinTieLoss count_wins(std::span<const double> a, std::span<const double> b);

}  // namespace glassrank
