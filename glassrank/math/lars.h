#pragma once
// Least angle regression (Efron, Hastie, Johnstone and Tibshirani 2004): columns enter one after
// another, each when it is as correlated with the residual as those already in; coefficients move
// on straight lines between. With `lasso`, a coefficient that would change its sign leaves again:
// then the corners of the path are those of the lasso.
//
// Works on the Gram matrix X'X and the moments X'y of columns as they are: no intercept, no
// scaling. Cost: steps x columns^2 (+ the factor of the active columns at each step).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace glassrank {

struct LarsSetup {
  std::span<const double> gram;  // row-major
  std::span<const double> moments;
  std::size_t max_steps = std::numeric_limits<std::size_t>::max();
  bool lasso = false;
};

struct LarsPath {
  // Coefficients at each corner; the first are all 0. A path that was not cut ends at the
  // least-squares solution.
  std::vector<std::vector<double>> corners;
  // Columns that are in at the end, in order of entry.
  std::vector<std::uint32_t> active;
};

LarsPath least_angle_path(const LarsSetup& setup);

}  // namespace glassrank
