#pragma once
// R-precision: relevant documents among the first R, divided by R, the number of relevant
// documents, listed or not (trec_eval's Rprec).

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo r_precision_info();

}  // namespace glassrank
