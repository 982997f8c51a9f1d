#pragma once
// The cheapest moves of at most three features that reach a goal, proved: branch and bound over the
// leaves of a forest.
//
// For a set S of features the score is a sum over trees of the leaf that the moved document is in;
// the leaves it can be in are boxes over the places of S (leaf_boxes.h). Regions of places are
// taken in the order of their cheapest point:
//   - a region whose trees cannot add up to the goal even if each gave its best leaf is dropped;
//   - if its cheapest point reaches the goal, by the scorer itself, nothing cheaper is left: done;
//   - otherwise it is divided at an edge of its boxes.
// Sets are dropped before they are looked into by the same sum over all their leaves that cost less
// than the best moves so far. One feature first, then two, then three.
//
// Sums are compared with the room of rounding on the safe side; whether a goal is reached is the
// scorer's word.

#include <cstdint>

#include "glassrank/base/context.h"
#include "glassrank/explain/counterfactual/leaf_boxes.h"
#include "glassrank/explain/counterfactual/search_task.h"

namespace glassrank {

inline constexpr std::size_t kMostExactFeatures = 3;

// `max_steps`: regions to look at; when they are used up the result is the best found, not proved,
// and says what a better one would cost at least.
SearchResult exact_search(const SearchTask& task, const LeafBoxes& boxes, std::uint64_t max_steps,
                          const Context& context);

}  // namespace glassrank
