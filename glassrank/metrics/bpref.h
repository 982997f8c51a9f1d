#pragma once
// bpref (Buckley & Voorhees, SIGIR 2004), as trec_eval computes it: among judged documents only,
// how few that are not relevant stand above the relevant ones.
//
//   1/R sum over listed relevant documents of 1 - min(n, R) / min(N, R)
//
// R: relevant documents, N: judged ones that are not (a negative grade counts as neither), listed
// or not; n: those of N listed above the document. A term with n = 0 is 1. With ties averaged n
// grows by 0 to m with equal chances, m being those of N in the document's run of equal scores.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo bpref_info();

}  // namespace glassrank
