#pragma once
// Success at k: 1 where any of the first k documents is relevant, else 0 (also called hit rate).
//
// With ties averaged: the probability of a relevant one. Of a run of m documents with r relevant
// ones that reaches beyond the cutoff, j are among the first k: no relevant one is with probability
// C(m-r, j) / C(m, j).

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo success_info();

}  // namespace glassrank
