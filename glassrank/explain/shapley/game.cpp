#include "glassrank/explain/shapley/game.h"

#include <algorithm>

namespace glassrank {

std::vector<ShapleyValues> evaluate_ends(const Game& game) {
  std::vector<std::uint8_t> members(2 * game.num_players);
  std::fill(members.begin() + static_cast<std::ptrdiff_t>(game.num_players), members.end(),
            std::uint8_t{1});
  std::vector<double> worth(2 * game.num_outputs);
  game.evaluate({members.data(), 2, game.num_players}, worth);
  std::vector<ShapleyValues> outputs;
  for (std::size_t o = 0; o < game.num_outputs; ++o) {
    outputs.push_back({.base = worth[o],
                       .full = worth[game.num_outputs + o],
                       .values = std::vector<double>(game.num_players),
                       .errors = std::vector<double>(game.num_players)});
  }
  return outputs;
}

}  // namespace glassrank
