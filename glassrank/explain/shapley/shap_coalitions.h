#pragma once
// Which coalitions shap's KernelExplainer evaluates: its rule, for results that can be set beside
// its own.
//
//   1. Sizes that the samples can do completely are there with their weight (coalition_sizes.h).
//   2. The size of a draw goes by the weight of its coalitions (halved where complements come
//      along), its members are uniform. A new coalition is added, and its complement with it unless
//      its size is the half or no sample is left; one that was drawn before gains weight 1, and so
//      does its complement.
//   3. It ends with the samples, or after 4 times as many draws. Weights of what was drawn are
//      scaled to the share that step 1 left.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/random.h"
#include "glassrank/explain/shapley/coalition_set.h"

namespace glassrank {

// At least two players; at most 2^num_players - 2 samples.
CoalitionSet shap_coalitions(std::size_t num_players, std::uint64_t num_samples,
                             CounterRandom random);

}  // namespace glassrank
