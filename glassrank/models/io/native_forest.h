#pragma once
// A forest as the body of a native model file.
//
//   objective TEXT
//   base_score NUMBER
//   features N [named]           "named": N lines with the names follow
//   trees N
//   tree LEAVES [STATISTIC...]   for each tree; which statistics the lines below carry
//   FEATURE THRESHOLD LEFT RIGHT MISSING [STATISTIC...]     LEAVES - 1 lines, one per node
//   VALUE [STATISTIC...]                                    LEAVES lines, one per leaf
//
// A child below 0 is leaf ~child. MISSING is where a missing value goes, l or r, with z behind it
// where zero counts as missing. Statistics are named as in TreeStatistics, in that order.

#include <string>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/io/native_text.h"

namespace glassrank {

void write_native_forest(std::string& out, const Forest& forest);

// Throws Error{kInput} "line N: ..." or, from Forest, "tree T: ...".
Forest read_native_forest(NativeReader& reader);

}  // namespace glassrank
