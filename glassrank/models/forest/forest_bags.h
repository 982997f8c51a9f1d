#pragma once
// Forests that were trained alike on parts of the same data (bags), as one model.
//
//   mean    all their trees, bag by bag, every leaf value divided by the number of bags; the base
//           score is the mean one. The mean of the scores, up to rounding.
//   errors  of a cell: the standard deviation (divided by the number of bags) over the bags of
//           their values in that cell, after each bag's table was shifted to mean 0 over the rows
//           whose weights the tables know. As EBM has them (ebm/bagged_gam.h), but for missing
//           cells that no training row fell into: EBM's have value and error 0, trees send such
//           rows somewhere, so these have the values of that place and errors like any other.

#include <span>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Of one forest: that forest, to the bit. There is at least one; all have the same features.
Forest mean_forest(std::span<const Forest> bags);

// `gam` is distil(mean_forest(bags)), with weights or without, centred or not; it gets errors, if
// there are two bags at least. A bag without trees of an effect has the value 0 everywhere.
Gam with_bag_errors(const Gam& gam, std::span<const Forest> bags);

}  // namespace glassrank
