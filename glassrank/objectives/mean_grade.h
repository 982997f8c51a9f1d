#pragma once
// The mean grade of the training set by row weights: the best constant score of squared error, and
// by its log-odds of the logistic loss. 0 when all weights are 0 or there are no rows.

#include "glassrank/objectives/objective.h"

namespace glassrank {

inline double mean_grade(const ObjectiveData& data) {
  double sums[] = {0, 0};
  auto& [sum, total] = sums;
  for (std::size_t row = 0; row < data.grades.size(); ++row) {
    const double weight = data.weights.empty() ? 1.0 : data.weights[row];
    sum += weight * data.grades[row];
    total += weight;
  }
  data.communicator.sum(sums);
  return total > 0 ? sum / total : 0;
}

}  // namespace glassrank
