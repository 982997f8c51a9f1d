#include "glassrank/evaluation/feature_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassrank {

std::vector<double> feature_scores(const Dataset& data, const std::string& name) {
  const bool is_known = std::ranges::find(data.feature_names(), name) != data.feature_names().end();
  const bool ascends = !is_known && name.starts_with('-');
  const std::size_t feature = data.feature_index(ascends ? name.substr(1) : name);
  std::vector<double> scores(data.num_rows());
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const double value = data.row(row)[feature];
    if (std::isnan(value)) {
      scores[row] = -std::numeric_limits<double>::infinity();
    } else {
      scores[row] = ascends ? -value : value;
    }
  }
  return scores;
}

}  // namespace glassrank
