#pragma once
// Brings changes back towards the values that were there, between the places of a search: the last
// step for rankers whose scores change anywhere (lines, networks, black boxes).
//
// A search knows only some values of such a ranker: that 0 is too little and 17 is enough, not that
// 8.3 would do. Every feature of a change is narrowed down in turn, the dearest first, between a
// value that does not reach the goal and one that does, until no turn gains anything. Whole numbers
// stay whole, steps steps, and a category is left as it is. Every value that is taken has been
// scored by the ranker. Where the score rises and falls on the way, what is found is one of the
// points where it passes, not always the nearest.
//
// Cost: some 6 scorings of 15 rows a feature, turn and candidate; all candidates in one batch.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/counterfactual/limits.h"
#include "glassrank/explain/counterfactual/search_task.h"

namespace glassrank {

struct ValueChange {
  std::uint32_t feature = 0;
  float to = 0;
};

double cost_of(std::span<const ValueChange> changes, std::span<const float> row,
               std::span<const FeatureLimit> limits);

// The cheapest of the candidates (or, with fewest_first, of those with the fewest features) after
// all of them are brought back. Each must reach the goal; at least one.
std::vector<ValueChange> brought_back(const SearchTask& task, std::span<const FeatureLimit> limits,
                                      std::vector<std::vector<ValueChange>> candidates,
                                      const Context& context);

}  // namespace glassrank
