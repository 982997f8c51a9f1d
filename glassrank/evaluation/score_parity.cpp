#include "glassrank/evaluation/score_parity.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace glassrank {

ScoreParity compare_scores(const ScoredRows& before, const ScoredRows& after, double tolerance,
                           const Context& context) {
  const Dataset& data = before.data;
  const std::vector<double> old_scores = score_all(before.scorer, data, context);
  const std::vector<double> new_scores = score_all(after.scorer, after.data, context);
  ScoreParity parity{.num_rows = data.num_rows(), .tolerance = tolerance};
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const double difference = std::abs(old_scores[r] - new_scores[r]);
      if (difference > 0) ++parity.num_different;
      if (difference > tolerance * std::max(1.0, std::abs(old_scores[r]))) ++parity.num_beyond;
      if (difference <= parity.largest) continue;
      parity.largest = difference;
      parity.row = r;
      parity.query = data.queries().id(q);
      parity.document = data.document_name(r);
      parity.before = old_scores[r];
      parity.after = new_scores[r];
    }
  }
  return parity;
}

}  // namespace glassrank
