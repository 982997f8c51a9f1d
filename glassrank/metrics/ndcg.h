#pragma once
// Normalised DCG: DCG@k of the ranking divided by the largest DCG@k the judged documents allow.
// A query whose ideal is 0 (no document with a gain) is empty.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo ndcg_info();

}  // namespace glassrank
