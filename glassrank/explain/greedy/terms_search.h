#pragma once
// The best set of features from the Moebius terms of every document (subset_terms.h).
//
// Sets that share all but their smallest feature stand side by side, so that their scores are sums
// of arrays and sets are lanes when pairs are compared (kept_pairs_kernel.h).

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/explain/greedy/best_subset.h"
#include "glassrank/explain/greedy/subset_terms.h"
#include "glassrank/explain/masks/fixed_point.h"

namespace glassrank {

// The best set so far; features are numbered among the candidates, ascending.
struct BestSet {
  double value = 0;
  std::vector<std::uint32_t> set;  // empty: none yet

  void offer(double other, std::vector<std::uint32_t> other_set) {
    if (!set.empty() && (other < value || (other == value && set <= other_set))) return;
    value = other;
    set = std::move(other_set);
  }
};

// add_terms(document, terms) adds the terms of one document; called from several threads.
BestSet best_by_terms(const BestSubsetTask& task, FixedPoint point,
                      FunctionRef<void(std::size_t, SubsetTerms&)> add_terms,
                      const Context& context);

}  // namespace glassrank
