#pragma once
// What exchanging two documents does to a metric: the factor of a pair's lambda (Burges 2010).
//
//   change(a, b) = metric(order with the documents at ranks a and b exchanged) - metric(order)
//
// Metric::swap_deltas prepares one order. The default evaluates the metric again for every pair,
// O(n) each; ndcg, dcg, map, mrr and err answer a pair in O(1) after O(n) preparation, each beside
// its own formula (dcg.h, average_precision.cpp, reciprocal_rank.cpp, err.cpp).
// A value that evaluate() leaves open (NaN) counts as the metric's empty().value, so a query
// without relevant documents never changes. Cutoffs count: below them nothing changes.

#include <cstddef>
#include <memory>
#include <vector>

#include "glassrank/metrics/metric.h"

namespace glassrank {

// One order of one query, prepared. Used by one thread.
class SwapDeltas {
 public:
  virtual ~SwapDeltas() = default;
  double change(std::size_t a, std::size_t b) {
    if (a == b) return 0;
    return a < b ? change_below(a, b) : change_below(b, a);
  }

 private:
  // `above` < `below`, both ranks of the order.
  virtual double change_below(std::size_t above, std::size_t below) = 0;
};

// The definition: evaluates the metric twice for every pair.
std::unique_ptr<SwapDeltas> slow_swap_deltas(const Metric& metric, const Ranking& ranking);

// For orders that no exchange changes.
std::unique_ptr<SwapDeltas> no_swap_deltas();

}  // namespace glassrank
