#pragma once
// Average precision: precision at the rank of each relevant document among the first k, summed and
// divided by R (all relevant documents), min(R, k), or the hits among the first k, as the
// convention's ap_divisor says.
//
// With ties averaged: in a run of m documents from rank b on, r of them relevant and h relevant
// ones before it, the j-th place adds  (r/m) * (h + 1 + j (r-1)/(m-1)) / (b + j + 1).  When the
// divisor is the number of hits and the cutoff falls into a run, the sum is taken for every
// possible number of hits in the run's first places, weighted by its hypergeometric probability.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo average_precision_info();

}  // namespace glassrank
