#pragma once
// Judged at k: the share of the first k documents that were judged at all, relevant or not. It says
// how far the other metrics of a TREC run can be trusted; of data files, whose rows all have
// grades, it is 1. Lists of n < k documents are divided as precision is; an empty list has 0.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo judged_info();

}  // namespace glassrank
