#pragma once
// Reciprocal rank: 1 / (rank + 1) of the first relevant document, 0 when it is beyond the cutoff.
//
// With ties averaged, the first run of equal scores that holds relevant documents decides. For m
// documents from rank b on, r of them relevant, the first relevant one is the i-th of the run with
// probability C(m-1-i, r-1) / C(m, r).

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo reciprocal_rank_info();

}  // namespace glassrank
