#pragma once
// Kendall's tau-b between scores and grades of a query's list (Kendall 1945), from -1 to 1:
//
//   tau_b = (C - D) / sqrt((n0 - n1) (n0 - n2))
//
// C, D: pairs ordered alike and oppositely; n0: all pairs; n1, n2: pairs of equal score and of
// equal grade. Ties are part of the definition, so the convention's `ties` does not matter; judged
// documents missing from the list do not count. Equal scores everywhere give 0. Empty: all grades
// are equal. O(n log n) by counting inversions (Knight 1966).

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo kendall_info();

}  // namespace glassrank
