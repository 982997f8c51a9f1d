#pragma once
// A cooperative game: what every coalition of players is worth. Its Shapley values share the gain
// v(all) - v(none) out among the players:
//   phi_i = sum over S without i of |S|! (M - |S| - 1)! / M! * (v(S with i) - v(S))
//
// Several games with the same players are outputs of one: a coalition is evaluated once for all.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"

namespace glassrank {

// One row per coalition, one byte per player: 1, a member.
using CoalitionView = MatrixView<const std::uint8_t>;

struct Game {
  std::size_t num_players = 0;
  std::size_t num_outputs = 1;
  // values[c * num_outputs + o] = worth of coalition c in game o.
  std::function<void(CoalitionView coalitions, std::span<double> values)> evaluate;
};

// Of one output.
struct ShapleyValues {
  double base = 0;             // v(none)
  double full = 0;             // v(all)
  std::vector<double> values;  // one per player; base + their sum = full
  std::vector<double> errors;  // standard errors, likewise; 0: exact
};

// v(none) and v(all) of every output; values and errors 0.
std::vector<ShapleyValues> evaluate_ends(const Game& game);

}  // namespace glassrank
