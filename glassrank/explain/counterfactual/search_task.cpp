#include "glassrank/explain/counterfactual/search_task.h"

namespace glassrank {

std::vector<float> SearchTask::changed(std::span<const Move> moves) const {
  std::vector<float> result(row.begin(), row.end());
  for (const Move& move : moves) result[move.feature] = places[move.feature].values[move.place];
  return result;
}

double SearchTask::cost(std::span<const Move> moves) const {
  double sum = 0;
  for (const Move& move : moves) sum += places[move.feature].costs[move.place];
  return sum;
}

bool SearchResult::is_beaten_by(std::size_t num_moves, double other, bool fewest_first) const {
  if (!is_found) return true;
  if (fewest_first && num_moves != moves.size()) return num_moves < moves.size();
  return other < cost;
}

}  // namespace glassrank
