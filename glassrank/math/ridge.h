#pragma once
// Ridge regression: the line that minimises
//   sum over rows of w (y - intercept - x'theta)^2 + alpha sum of theta^2
// (scikit-learn's Ridge with sample_weight; the intercept is free). Solved by the normal equations.

#include "glassrank/base/context.h"
#include "glassrank/math/linear_sample.h"

namespace glassrank {

// alpha > 0.
LinearFit fit_ridge(const LinearSample& sample, double alpha, const Context& context);

}  // namespace glassrank
