#include "glassrank/explain/shapley/exact_shapley.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kBatch = 4096;  // coalitions evaluated at a time

// worth[coalition * outputs + output]; bit i of a coalition is player i.
std::vector<double> all_worths(const Game& game, const Context& context) {
  const std::size_t num_players = game.num_players;
  const std::size_t num_coalitions = std::size_t{1} << num_players;
  std::vector<double> worths(num_coalitions * game.num_outputs);
  std::vector<std::uint8_t> members;
  for (std::size_t begin = 0; begin < num_coalitions; begin += kBatch) {
    context.check_stop();
    const std::size_t size = std::min(kBatch, num_coalitions - begin);
    members.resize(size * num_players);
    for (std::size_t c = 0; c < size; ++c) {
      for (std::size_t i = 0; i < num_players; ++i) {
        members[c * num_players + i] = static_cast<std::uint8_t>((begin + c) >> i & 1);
      }
    }
    game.evaluate({members.data(), size, num_players},
                  std::span(worths).subspan(begin * game.num_outputs, size * game.num_outputs));
  }
  return worths;
}

// |S|! (M - |S| - 1)! / M! for |S| = 0 .. M - 1.
std::vector<double> shapley_weights(std::size_t num_players) {
  std::vector<double> weights(num_players);
  double weight = 1 / static_cast<double>(num_players);
  for (std::size_t s = 0; s < num_players; ++s) {
    weights[s] = weight;
    weight *= static_cast<double>(s + 1) / static_cast<double>(num_players - s - 1);
  }
  return weights;
}

}  // namespace

std::vector<ShapleyValues> exact_shapley(const Game& game, const Context& context) {
  const std::size_t num_players = game.num_players;
  if (num_players > kMaxExactPlayers) {
    fail(ErrorKind::kUsage,
         "exact Shapley values of {} features would need 2^{} coalitions; at most {} features can "
         "be asked exactly, sampling (mode = paired) has no limit",
         num_players, num_players, kMaxExactPlayers);
  }
  std::vector<ShapleyValues> outputs = evaluate_ends(game);
  if (num_players == 0) return outputs;
  const std::vector<double> worths = all_worths(game, context);
  const std::vector<double> weights = shapley_weights(num_players);
  const std::size_t num_coalitions = std::size_t{1} << num_players;
  parallel_for(context, num_players, 1, [&](std::size_t i, std::size_t) {
    const std::size_t player = std::size_t{1} << i;
    for (std::size_t c = 0; c < num_coalitions; ++c) {
      if ((c & player) != 0) continue;
      const double weight = weights[static_cast<std::size_t>(std::popcount(c))];
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        outputs[o].values[i] +=
            weight * (worths[(c | player) * outputs.size() + o] - worths[c * outputs.size() + o]);
      }
    }
  });
  return outputs;
}

}  // namespace glassrank
