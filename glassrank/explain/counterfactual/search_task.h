#pragma once
// What a counterfactual search looks for and what it finds: shared by the searches that prove the
// smallest change (exact_search.h, of forests and tables) and the one that works with scores alone
// (beam_search.h). Both move features only between the places of places.h.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/explain/counterfactual/places.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

// The score that is to be passed: of the document that must end up below. With equal scores the
// earlier document of the query is above.
struct ScoreGoal {
  double score = 0;
  bool tie_wins = false;

  bool passes(double value) const { return value > score || (tie_wins && value == score); }
};

// A feature and the place it goes to.
struct Move {
  std::uint32_t feature = 0;
  std::uint32_t place = 0;
  bool operator==(const Move&) const = default;
};

struct SearchTask {
  const Scorer& scorer;
  std::span<const float> row;
  std::span<const FeaturePlaces> places;
  ScoreGoal goal;
  std::size_t max_features = 3;
  bool fewest_first = false;  // fewer features before smaller changes
  bool has_steps = true;      // the score changes at places only; else also between them

  std::vector<float> changed(std::span<const Move> moves) const;
  double cost(std::span<const Move> moves) const;
};

inline constexpr double kNoCost = std::numeric_limits<double>::infinity();

struct SearchResult {
  bool is_found = false;
  std::vector<Move> moves;  // found: the cheapest; otherwise those with the highest score met
  double cost = kNoCost;    // of the moves, if found
  double score = 0;         // with the moves
  // No other set of moves of as many features as were searched is cheaper or, if nothing was found,
  // reaches the goal.
  bool is_proved = false;
  double least_cost = 0;  // no solution costs less

  // Whether moves of this number and cost come before the ones found.
  bool is_beaten_by(std::size_t num_moves, double cost, bool fewest_first) const;
};

}  // namespace glassrank
