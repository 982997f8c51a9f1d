#pragma once
// Cyclic boosting of a bag: every effect is visited once a round and takes a small step; the tables
// after the visit with the smallest loss of the held-out rows are kept (cyclic_bag.h). This is the
// way of any objective; squared error has a faster one for several bags (lane_boosting.h).
// Asked to stop, it ends with the round in work and the best tables so far.
// Cost: rounds * effects visits (bag_rows.h).

#include <cstddef>
#include <functional>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/methods/ebm/bag_rows.h"
#include "glassrank/methods/ebm/cyclic_bag.h"

namespace glassrank {

// Called after a round with how many are done and the loss; false: no more of them.
using OnRound = std::function<bool(std::size_t num_rounds, double loss)>;

// `on_round` may be empty.
CyclicResult boost_cyclically(BagRows& rows, std::span<const EffectShape> effects,
                              const CyclicRules& rules, const OnRound& on_round,
                              const Context& context);

}  // namespace glassrank
