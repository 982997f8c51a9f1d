#pragma once
// From a forest whose trees use at most two features each to the curves and surfaces it is a sum
// of: exact, by cell, without data.
//
// Every tree belongs to the effect of the features it splits on; trees of one leaf belong to the
// intercept. The edges of an effect are the thresholds of its own trees (a node where zero counts
// as missing adds the borders of |x| <= 1e-35; +infinity, which no value exceeds, is none). Effects
// come curves first, by feature, then surfaces, by features.
//
//   intercept = base score + one-leaf trees, in tree order
//   cell      = 0 + the values of the effect's trees at that cell, in tree order
// Gam::score is then the forest's sum grouped by effect: to the bit, for every row.
// Cost: for each tree, the cells of its effect.

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Throws Error{kInput} naming the tree and its features when a tree uses three, and the effect when
// the tables would have more than 2^27 cells.
Gam distil(const Forest& forest);

// The same tables with the weight of the data's rows in every cell (rows count 1 unless the data
// have weights). Throws Error{kUsage} when the data have fewer features than the model.
Gam with_weights(const Gam& gam, const Dataset& data, const Context& context = {});
// The same from bins, if every edge of the tables is one of their cuts.
Gam with_weights(const Gam& gam, const BinnedDataset& data, const Context& context = {});

// Every effect with known weights gets the weighted mean 0; the means move to the intercept. Scores
// stay the same up to rounding. Only means are moved: a surface keeps what part of it depends on
// one feature alone. An effect whose weights are all 0, or not known, stays as it is.
Gam centred(const Gam& gam);

// Whether every effect has weights.
bool knows_weights(const Gam& gam);
// The same as with_weights for the effects that have none; those that are known stay.
Gam with_missing_weights(const Gam& gam, const Dataset& data, const Context& context = {});

}  // namespace glassrank
