#include "glassrank/models/scorer.h"

#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

std::vector<std::uint32_t> Scorer::used_features() const {
  std::vector<std::uint32_t> all(num_features());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

void Scorer::score(MatrixView<const float> rows, std::span<double> scores,
                   const Context& context) const {
  if (rows.num_columns() < num_features()) {
    fail(ErrorKind::kUsage, "rows of {} features for a model of {}", rows.num_columns(),
         num_features());
  }
  if (rows.num_rows() != scores.size()) {
    fail(ErrorKind::kUsage, "{} rows but room for {} scores", rows.num_rows(), scores.size());
  }
  score_checked(rows, scores, context);
}

std::vector<double> score_all(const Scorer& scorer, const Dataset& data, const Context& context) {
  std::vector<double> scores(data.num_rows());
  scorer.score(data.features(), scores, context);
  return scores;
}

}  // namespace glassrank
