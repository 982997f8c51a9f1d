#include "glassrank/metrics/binary_relevance.h"

#include <algorithm>
#include <limits>

namespace glassrank {

double BinaryMetric::evaluate(const Ranking& ranking) const {
  const std::size_t relevant = num_relevant(ranking);
  if (relevant == 0) return std::numeric_limits<double>::quiet_NaN();
  return evaluate_relevant(ranking, relevant);
}

std::size_t BinaryMetric::count(const Ranking& ranking, std::size_t begin, std::size_t end) const {
  std::size_t count = 0;
  for (std::size_t rank = begin; rank < end; ++rank) count += is_relevant(ranking.grades[rank]);
  return count;
}

double BinaryMetric::hits(const Ranking& ranking, std::size_t num_ranks) const {
  const std::size_t cutoff = std::min(num_ranks, ranking.grades.size());
  if (!ranking.average_ties) return static_cast<double>(count(ranking, 0, cutoff));
  double hits = 0;
  for_each_tie_group(ranking, cutoff, [&](std::size_t begin, std::size_t end) {
    const double share =
        static_cast<double>(std::min(end, cutoff) - begin) / static_cast<double>(end - begin);
    hits += share * static_cast<double>(count(ranking, begin, end));
  });
  return hits;
}

}  // namespace glassrank
