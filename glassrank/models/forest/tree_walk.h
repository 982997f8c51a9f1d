#pragma once
// Scores rows by walking the trees, several walks at once: the path for a handful of rows and for
// trees so large that touching every node of them costs more than walking (see scoring_plan.h).
//
// One walk waits for memory and comparison at every node; eight of them side by side wait together.
// Few rows: eight trees of one row. Many rows: eight rows of one tree, which then stays in cache.

#include <span>

#include "glassrank/base/matrix_view.h"
#include "glassrank/models/forest/scoring_plan.h"

namespace glassrank {

void walk_few_rows(const ScoringPlan& plan, MatrixView<const float> rows, std::span<double> scores);

void walk_many_rows(const ScoringPlan& plan, MatrixView<const float> rows,
                    std::span<double> scores);

}  // namespace glassrank
