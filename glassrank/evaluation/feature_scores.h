#pragma once
// One feature of a data file as the score of every document, the simplest ranker.

#include <string>
#include <vector>

#include "glassrank/data/dataset.h"

namespace glassrank {

// The largest value first; "-NAME" the smallest first. Missing values come last. Throws
// Error{kUsage} with the nearest name.
std::vector<double> feature_scores(const Dataset& data, const std::string& name);

}  // namespace glassrank
