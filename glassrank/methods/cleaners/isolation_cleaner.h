#pragma once
// The isolation forest as a cleaner: drops documents whose features are unlike all others
// (isolation_forest.h). Needs no base model and no bins. The forest sees every document; the type
// only filters what it found.

#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/cleaner.h"

namespace glassrank {

const Cleaner& isolation_cleaner();

// The evidence of a dropped row is its anomaly score. Throws as IsolationForest does.
Cleaning clean_by_isolation(const Dataset& data, const CleanParams& params, const Context& context);

// From one forest: by the threshold and by several shares, for all three types; a type, share or
// threshold that was given is the only one.
std::vector<Cleaning> isolation_grid(const Dataset& data, const CleanParams& params,
                                     const Context& context);

}  // namespace glassrank
