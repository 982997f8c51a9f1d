#pragma once
// Models that were trained alike on parts of the same data (bags), as one model of their kind whose
// score is the mean of theirs, up to rounding.
//
//   forest           all their trees (forest_bags.h)
//   additive model   the mean of the tables, over the edges of all of them; weights of cells and
//                    standard errors are not kept
//   linear model     the mean of the weights
//   neural network   all their units side by side, then a unit that takes the mean of the outputs

#include <span>

#include "glassrank/models/model.h"

namespace glassrank {

// There is at least one; all have the same kind and features. Of one model: that model. Linear
// models and networks must agree on what a missing value counts as. Throws Error{kUsage} otherwise.
Model mean_model(std::span<const Model> bags);

}  // namespace glassrank
