#pragma once
// Surfaces without main effects (Lengerich, Tan, Chang, Hooker, Caruana, "Purifying Interaction
// Effects with the Functional ANOVA", AISTATS 2020).
//
// A surface may hold what depends on one of its features alone, and a curve may hold the rest: two
// models with the same scores can look different. Purified, the weighted mean of a surface is 0
// along every row and every column, and what was taken away is part of the curves of its two
// features: the weighted least-squares fit of a row's value plus a column's. Scores stay the same
// up to rounding. Means are 0 to within 1e-12 of the surface's largest value, cells that small are
// 0; a surface whose weights hang together by a thread a thousand times thinner than the rest may
// be left with more.
//
// - Rows (and columns) without weight: no data say what belongs to the curve; the mean over the
//   columns (rows) by the weights of those is taken. A surface without any weight stays as it is.
// - Where weights fall into blocks that share no row and no column (two features that are only
//   missing together), no data say which of the two curves a block's mean belongs to: it is
//   divided, and models with the same scores may still differ in that.
// - A feature without a curve gets one: before the first surface and the first curve of a later
//   feature, which is the order distil.h gives effects.
// - A curve's edges become the union of its own and the surface's. Its weights at the new edges are
//   read off the surface's rows: exact when both are of the same data. If they are not, every old
//   cell keeps its weight and shares it out as nearly as that allows. A curve without weights has
//   none afterwards.
// - Standard errors over bags become 0 where a value changes, as with edits (gam_edit.h); new
//   curves have none.

#include <cstddef>

#include "glassrank/models/gam/gam.h"

namespace glassrank {

// All surfaces, then every effect centred (distil.h), which leaves errors as they are; a model
// without surfaces is only centred. Throws Error{kUsage} naming a surface whose weights are not
// known or whose values are too large.
Gam purified(const Gam& gam);

// One surface only: its mean goes to the intercept, the curves of its features get what has mean 0.
// The same errors. The effect must be a surface.
Gam purified(const Gam& gam, std::size_t surface);

}  // namespace glassrank
