#pragma once
// Least squares whose coefficients have a given sum, as KernelSHAP needs them: minimise
//   sum over rows of w (y - x'phi)^2    subject to    sum of phi = total
//
// With A = X'WX and b = X'Wy the solution is phi = A^-1 (b - lambda 1), and lambda makes the sum
// right. A may be singular where the constraint settles the rest: total rows 1'phi = total of any
// weight change nothing, so one is added, and A + kappa 11' is positive definite exactly when the
// solution is unique. Several right sides share the factor.
//
// Errors: H = P X'W with P = A^-1 - A^-1 11' A^-1 / (1'A^-1 1) maps y to phi (but for the part of
// the constraint), so a change e_r of y_r moves phi by H_r e_r; leverage h_r = (X H)_rr.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

class ConstrainedLeastSquares {
 public:
  // Nothing where the rows do not settle every coefficient.
  static std::optional<ConstrainedLeastSquares> of(MatrixView<const double> rows,
                                                   std::span<const double> weights,
                                                   const Context& context);

  std::vector<double> solve(std::span<const double> targets, double total) const;
  // influence[r * columns + j] = what phi_j gains when y_r gains 1.
  std::vector<double> influence(const Context& context) const;

 private:
  ConstrainedLeastSquares() = default;

  MatrixView<const double> rows_;
  std::span<const double> weights_;
  std::vector<double> inverse_;   // of A + kappa 11'
  std::vector<double> row_sums_;  // of the inverse
  double inverse_sum_ = 0;
};

}  // namespace glassrank
