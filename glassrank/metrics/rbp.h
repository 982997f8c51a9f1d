#pragma once
// Rank-biased precision (Moffat & Zobel 2008): a reader goes on to the next rank with probability
// p.
//
//   RBP = (1 - p) * sum over ranks r of p^r * [document at r is relevant]
//
// Linear in relevance: with ties averaged, a run adds its share of relevant documents times the
// weights of its ranks.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo rbp_info();

}  // namespace glassrank
