#pragma once
// Recall: relevant documents among the first k, divided by all relevant ones, listed or not.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo recall_info();

}  // namespace glassrank
