#pragma once
// Precision: relevant documents among the first k, divided by k (also when the list is shorter) or
// by min(k, n), as the convention's precision_divisor says; without a cutoff k = n. A list without
// documents has precision 0.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo precision_info();

}  // namespace glassrank
