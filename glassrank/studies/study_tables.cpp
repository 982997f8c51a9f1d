#include "glassrank/studies/study_tables.h"

#include <algorithm>

namespace glassrank {

std::vector<std::size_t> even_rounds(std::size_t num_rounds, std::size_t steps) {
  std::vector<std::size_t> rounds;
  if (num_rounds == 0) return rounds;
  rounds.push_back(1);
  const std::size_t parts = std::max<std::size_t>(steps, 2) - 1;
  for (std::size_t i = 1; i <= parts; ++i) {
    const std::size_t round = std::max<std::size_t>(num_rounds * i / parts, 1);
    if (round != rounds.back()) rounds.push_back(round);
  }
  return rounds;
}

}  // namespace glassrank
