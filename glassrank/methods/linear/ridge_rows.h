#pragma once
// Ridge regression of the grades on scaled features, over any number of rows:
//
//   minimise  sum over rows of weight * (grade - intercept - w'z)^2 + l2 * sum of w^2
//
// by the normal equations, whose sums of products are taken block by block of rows: memory is that
// of a few blocks, never a second copy of the data. Features that are combinations of others leave
// the equations without a unique solution; l2 is then raised until there is one, and the caller is
// told by how much.
// Cost: rows x features^2 / 2 multiplications.

#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/training/feature_scaling.h"

namespace glassrank {

struct RidgeFit {
  std::vector<double> weights;  // of scaled features
  double intercept = 0;
  double l2 = 0;  // that was used
};

// Throws Error{kInput} when no row has weight.
RidgeFit fit_ridge_rows(const Dataset& data, const FeatureScaling& scaling, double l2,
                        const Context& context);

}  // namespace glassrank
