#pragma once
// The spread of some numbers: what a box of a box plot shows, with mean and standard deviation.
// Quantiles interpolate linearly between order statistics, as numpy's do.

#include <cstddef>
#include <span>

#include "glassrank/base/result.h"

namespace glassrank {

struct BoxSummary {
  std::size_t count = 0;
  double mean = 0;
  double standard_deviation = 0;  // of a sample: divided by count - 1; 0 for one number
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double largest = 0;

  void visit(ResultVisitor& visitor) const;
  // Of the mean of independent numbers.
  double standard_error() const;
};

// NaN is left out; all 0 where nothing is left.
BoxSummary box_summary(std::span<const double> values);

}  // namespace glassrank
