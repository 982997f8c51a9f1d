#pragma once
// Area under the ROC curve within a query: the share of (relevant, irrelevant) pairs of the list in
// which the relevant document is ranked higher. A pair of equal scores counts as its tie order has
// it, 1/2 with ties averaged (the usual definition). Judged documents missing from the list do not
// count. Empty: no relevant or no irrelevant document in the list.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo auc_info();

}  // namespace glassrank
