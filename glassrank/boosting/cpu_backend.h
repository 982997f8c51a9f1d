#pragma once
// The TreeBackend of processors: row partition, histograms in double (`precision = full`) or in
// small integers (`precision = fast`), leaf sums in double.
//
// Only the smaller child's histogram is built; its sibling's is the parent's less that, in the
// parent's place. So there are never more histograms than leaves.
// Fast histograms hold active rows only (histogram/quantise.h) and estimate row counts. When a
// split turns out to leave too few rows on a side, the leaf's next search asks for twice the
// estimate, and after a few times for exact counts. Memory: 12 bytes a training row for the
// partition, and what the search needs.

#include <memory>

#include "glassrank/base/context.h"
#include "glassrank/boosting/booster_params.h"
#include "glassrank/boosting/tree_backend.h"

namespace glassrank {

std::unique_ptr<TreeBackend> make_cpu_backend(const BackendTask& task, const BoosterParams& params,
                                              const Context& context);

}  // namespace glassrank
