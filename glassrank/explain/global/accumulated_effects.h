#pragma once
// Accumulated local effects (Apley and Zhu, "Visualizing the effects of predictor variables in
// black box supervised learning models", JRSS B 2020).
//
// Points z[0] < ... < z[n] of the feature, evenly by rows; row r is in bin k when
// z[k-1] < x <= z[k] (z[0] itself is in bin 1).
//   step[k]  = weighted mean over the rows of bin k of score(x := z[k]) - score(x := z[k-1])
//   ale[k]   = step[1] + ... + step[k], ale[0] = 0
// `mean` centring takes off the mean of the curve over the rows, a row standing half-way between
// the ends of its bin as in the authors' code; the others leave ale[0] = 0. Cost: two scorings a
// row.

#include "glassrank/explain/global/dependence.h"
#include "glassrank/explain/global/partial_dependence.h"

namespace glassrank {

// Fills `values` and `num_left_out` from the one axis. Throws Error{kInput} when it has fewer than
// two points.
void add_accumulated_effects(const Subject& subject, const WeightedRows& data, Dependence& result,
                             const Context& context);

}  // namespace glassrank
