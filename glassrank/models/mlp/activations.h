#pragma once
// What the units of a layer do with their sums, many at a time, with instructions chosen at run
// time (Highway). The bits are those of the functions of one number, on any instruction set.

#include <span>

#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

// activate() of each, in place.
void activate_all(Activation activation, std::span<double> sums);

// Each slope times activation_slope() of the output in its place.
void multiply_by_slopes(Activation activation, std::span<const double> outputs,
                        std::span<double> slopes);

}  // namespace glassrank
