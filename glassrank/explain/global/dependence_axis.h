#pragma once
// Which values of a feature a curve of dependence has numbers for.
//
// Of a model made of steps its own cells say everything, and no value between them is missed; of
// other models values that occur stand for the rest.

#include <cstddef>
#include <cstdint>

#include "glassrank/explain/global/dependence.h"
#include "glassrank/explain/global/partial_dependence.h"

namespace glassrank {

// All cells of the model.
DependenceAxis cells_axis(const Subject& subject, std::uint32_t feature, const WeightedRows& data);

// At most `num_points` values that occur, evenly by weight, the lowest and the highest among them;
// all of them where there are no more. `missing`: a place for missing values, if they occur.
DependenceAxis quantile_axis(const Subject& subject, std::uint32_t feature,
                             const WeightedRows& data, std::size_t num_points, bool missing);

// The place of a value on the axis: its cell, or the first point not below it (the last one for
// values beyond).
std::size_t place_on(const DependenceAxis& axis, float value);

}  // namespace glassrank
