#pragma once
// Which pairs of features a glass-box ranker may use: step 2 of ILMART (ilmart.h).
//
// All go on from a model of main effects and look at the given features only:
//   paper         trees of two splits on two different features, boosted until so many different
//                 pairs were seen; in the order they were first seen (Lucchese et al., SIGIR 2022)
//   first-seen    trees of three leaves without that rule, as in the authors' first program; trees
//                 of one feature show no pair
//   contribution  the same trees, all max_rounds of them; the pairs whose effects, summed over
//                 their trees and centred, are largest in absolute mean over the training rows, by
//                 their weights
//   fast          the FAST statistic (fast_pairs.h) of the gradients after the main effects
// The trees are thrown away. What ranked a pair is kept: the gain of the tree that first showed it,
// the mean effect, the FAST gain.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/methods/ilmart/ilmart_params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/pairs/fast_pairs.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct PairTask {
  const LambdamartData& data;
  const LambdamartParams& params;  // of the trees; leaves and learning rate aside
  const Forest& main_effects;
  std::span<const std::uint32_t> features;  // ascending
  std::size_t num_pairs = 0;
};

// At most num_pairs, in the order chosen; fewer when rounds or gains run out. Throws
// Error{kInterrupted} when stopped.
std::vector<RankedFeaturePair> select_pairs(const PairTask& task,
                                            const PairSelectionParams& selection,
                                            const Context& context);

}  // namespace glassrank
