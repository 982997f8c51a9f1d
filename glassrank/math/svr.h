#pragma once
// Linear support vector regression (Drucker et al. 1996): the line that minimises
//   1/2 (|theta|^2 + b^2) + C sum over rows of w max(0, |y - mean - b - x'theta| - epsilon)
// where mean is the weighted mean of y: errors within epsilon cost nothing, larger ones their
// excess. The intercept is mean + b; taking the mean out first makes the price of b^2 small.
//
// Solved by dual coordinate descent (Ho and Lin 2012, LIBLINEAR's L1 loss): one dual variable
// beta_i in [-C w_i, C w_i] per row, theta = sum beta_i x_i. It ends when primal - dual objective
// is below `tolerance` of the primal: then |theta - best theta|^2 <= 2 * that difference.
// Cost: rows x columns a sweep. Rows are visited in an order drawn from a fixed seed.

#include <cstddef>

#include "glassrank/math/linear_sample.h"

namespace glassrank {

struct SvrSetup {
  double c = 1;
  double epsilon = 0.1;
  double tolerance = 1e-3;
  int max_sweeps = 1000;
};

struct SvrFit {
  LinearFit line;
  double primal = 0;  // objective
  double dual = 0;    // no more than the primal; equal at the optimum
  int num_sweeps = 0;
};

SvrFit fit_svr(const LinearSample& sample, const SvrSetup& setup);

}  // namespace glassrank
