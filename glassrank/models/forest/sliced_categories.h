#pragma once
// The masks of conditions that ask for categories, for a block of rows (step 3 of sliced_scorer.h).
//
// Per feature the rows are sorted into one mask per category that is met in the block; a condition
// is the union of the masks of its set, and right is what is not in it. Cost: 2 steps per row and
// feature, then width / 64 steps per condition and category of its set.

#include <cstdint>
#include <span>

#include "glassrank/models/forest/scoring_plan.h"
#include "glassrank/models/forest/sliced_scorer.h"

namespace glassrank {

// `masks` are those of plan.categories, block.width / 64 words each. Bits of places without a row
// are 0.
void evaluate_categories(const ScoringPlan& plan, const SlicedBlock& block,
                         CategoryMasks& workspace, std::uint64_t* masks);

}  // namespace glassrank
