#pragma once
// Shapley values by their definition: every coalition is evaluated. The oracle of everything that
// samples, and the way to go for few players.
// Cost: 2^M evaluations, M 2^M additions, 8 bytes a coalition and output.

#include <cstddef>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/shapley/game.h"

namespace glassrank {

inline constexpr std::size_t kMaxExactPlayers = 20;

// Throws Error{kUsage} for more than kMaxExactPlayers.
std::vector<ShapleyValues> exact_shapley(const Game& game, const Context& context);

}  // namespace glassrank
