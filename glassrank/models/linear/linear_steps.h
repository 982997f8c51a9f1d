#pragma once
// A linear model as curves in steps, by the values of some rows: what makes its lines tables that
// can be drawn, edited and written like those of any additive model.
//
// A used feature's curve has a cell for each of its values in the data, with weight * value in it:
// rows with these values get the linear model's scores, up to rounding. A feature with more than
// `most_cells` values gets that many cells of as many neighbouring values each, and the weighted
// mean of its rows in each. A missing value has the cell of weight * fill. Cells have the weights
// of the rows in them.

#include <cstddef>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {

inline constexpr std::size_t kMostStepCells = 4096;

// Throws Error{kUsage} when the data have fewer features than the model, Error{kInput} for an
// infinite value of a used feature.
Gam linear_steps(const Linear& linear, const Dataset& data, const Context& context = {},
                 std::size_t most_cells = kMostStepCells);

}  // namespace glassrank
