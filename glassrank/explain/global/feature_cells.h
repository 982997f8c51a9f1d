#pragma once
// The cells of a feature: the ranges of its values within which a model makes no difference.
//
// A forest asks a feature at its thresholds only, an additive model looks it up between the edges
// of its tables. As a function of one feature a score is therefore a step function, and its steps
// are known without trying values. Missing values are a cell of their own. A node where zero counts
// as missing adds the borders of |x| <= 1e-35.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/models/forest/tree.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Edges and cells as in models/gam/gam.h: cell i is edges[i - 1] < x <= edges[i], the last cell is
// "missing".
GamAxis feature_cells(std::span<const Tree> trees, std::uint32_t feature);
GamAxis feature_cells(const Gam& gam, std::uint32_t feature);
GamAxis feature_cells(const Model& model, std::uint32_t feature);

// One value in every cell, NaN for the missing one: what is scored to know the score in the cell.
std::vector<float> values_in_cells(const GamAxis& axis);

}  // namespace glassrank
