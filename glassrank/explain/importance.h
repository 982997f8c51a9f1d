#pragma once
// What a forest uses, read off its trees: how often it splits on a feature and how much the
// training objective gained by that. Both describe the fit, not the ranking: see permutation.h for
// that.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

// Splits on each feature, as LightGBM counts them: those with a positive gain. Every split counts
// in trees whose gains are not known.
std::vector<std::uint64_t> split_importance(const Forest& forest);

// Sum of the positive gains of the splits on each feature; nothing when the gains of some split are
// not known (RankLib and QuickRank files hold none).
std::optional<std::vector<double>> gain_importance(const Forest& forest);

}  // namespace glassrank
