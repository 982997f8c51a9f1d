#pragma once
// The pairs of features that bags agree on: those with the best mean rank over the bags, of equal
// ones the smaller features.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/methods/pairs/fast_pairs.h"

namespace glassrank {

// `ranked` holds every bag's order of all pairs of `features`, best first; `count` of them are
// chosen, their gain being minus the mean rank (0: first in all bags).
std::vector<RankedFeaturePair> choose_pairs(std::span<const std::vector<RankedFeaturePair>> ranked,
                                            std::span<const std::uint32_t> features,
                                            std::size_t count);

}  // namespace glassrank
