#pragma once
// Masked scores of a forest, without making rows (perturbation.h).
//
// scores(): document by document and reference by reference, masks as lanes (mask_lanes.h).
// mean_scores(): with more than a few references, all references of a document at once
// (mask_means.h).
// Leaf values are whole numbers (fixed_point.h): the same bytes for any number of threads, and true
// ties stay ties.

#include <memory>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// Documents and references are only read here, not kept.
std::unique_ptr<const Perturbation> make_forest_perturbation(const Forest& forest,
                                                             MatrixView<const float> documents,
                                                             MatrixView<const float> references,
                                                             const Context& context);

}  // namespace glassrank
