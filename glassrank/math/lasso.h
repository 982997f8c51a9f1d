#pragma once
// The lasso (Tibshirani 1996) with weighted rows: the line that minimises
//   1 / (2 sum w) * sum over rows of w (y - intercept - x'theta)^2 + alpha sum of |theta|
// (scikit-learn's Lasso with sample_weight; the intercept is free, columns keep their scale).
//
// Solved by coordinate descent on the Gram matrix (Friedman, Hastie and Tibshirani 2010), along a
// path of alphas from the one where every coefficient is 0 downwards, each start from the last.
// The alpha can be chosen by BIC = n log(weighted mean squared error) + log(n) * (coefficients that
// are not 0), where n = (sum w)^2 / sum w^2 is the number of rows that so uneven weights are worth.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/math/linear_sample.h"

namespace glassrank {

class Lasso {
 public:
  Lasso(const LinearSample& sample, const Context& context);

  // The least alpha for which every coefficient is 0.
  double alpha_max() const { return alpha_max_; }
  // Coefficients at `alpha` >= 0, starting from `start`.
  std::vector<double> coefficients(double alpha, std::vector<double> start) const;
  LinearFit fit(double alpha) const;

  // At the alpha with the least BIC of a path of 100, each the same share of the one before, from
  // alpha_max() down to a thousandth of it; the path ends early when BIC has long been rising.
  // Ties go to the larger alpha.
  LinearFit fit_by_bic() const;

 private:
  std::vector<double> descend(double alpha, std::vector<double> start, double tolerance) const;
  double bic(std::span<const double> coefficients) const;

  CentredSample sample_;
  std::vector<double> gram_;  // divided by the sum of the weights, as are the moments
  std::vector<double> moments_;
  double target_square_ = 0;  // weighted mean of the squared centred targets
  double effective_rows_ = 0;
  double alpha_max_ = 0;
};

}  // namespace glassrank
