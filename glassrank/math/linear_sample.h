#pragma once
// Weighted rows with targets, and the straight line (plane) fitted to them:
//   y ~ intercept + sum over columns j of coefficients[j] x_j
// What ridge, lasso and support vector regression have in common.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"

namespace glassrank {

// Nothing is owned. At least one row; weights are positive.
struct LinearSample {
  MatrixView<const double> inputs;
  std::span<const double> targets;
  std::span<const double> weights;

  std::size_t num_rows() const { return inputs.num_rows(); }
  std::size_t num_columns() const { return inputs.num_columns(); }
};

struct LinearFit {
  double intercept = 0;
  std::vector<double> coefficients;

  double at(std::span<const double> row) const;
};

// The same sample with its weighted means taken out: a fit without an intercept to it is a fit with
// one to the sample.
struct CentredSample {
  explicit CentredSample(const LinearSample& sample);

  LinearSample view() const {
    return {{inputs.data(), targets.size(), means.size()}, targets, weights};
  }
  // Of the coefficients for the sample as it was.
  LinearFit fit_of(std::vector<double> coefficients) const;

  std::vector<double> inputs;
  std::vector<double> targets;
  std::span<const double> weights;
  std::vector<double> means;  // of the columns
  double target_mean = 0;
  double weight_sum = 0;
};

}  // namespace glassrank
