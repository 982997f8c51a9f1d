#pragma once
// What the units of a layer do with their sums, many at a time.

#include <span>

#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

// activate() of each, in place: the same bits.
void activate_all(Activation activation, std::span<double> sums);

}  // namespace glassrank
