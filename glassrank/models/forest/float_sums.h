#pragma once
// Scores as XGBoost, RankLib and Solr compute them: leaf values added up in float32, tree by tree.
//
//   s = float32(base_score);  s = float32(s + float32(leaf value)) for each tree in order
//
// Differs from our own score (forest.h: sums in double) by their rounding. By plain traversal, for
// checks and not for speed.

#include <memory>

#include "glassrank/base/context.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

std::unique_ptr<const Scorer> make_float_sum_scorer(const Forest& forest);

}  // namespace glassrank
