#pragma once
// The numbers of stats.h for people: sizes, oddities with a few examples of each, and a table with
// a line per feature where it is wanted.

#include <string>

#include "glassrank/data/stats.h"

namespace glassrank {

std::string stats_text(const DataStats& stats, const Dataset& data, bool with_features);

}  // namespace glassrank
