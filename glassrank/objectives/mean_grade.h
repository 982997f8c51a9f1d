#pragma once
// The mean grade of the training set by row weights: the best constant score of squared error, and
// by its log-odds of the logistic loss. 0 when all weights are 0 or there are no rows.

#include "glassrank/math/exact_sum.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

inline double mean_grade(const ObjectiveData& data) {
  ExactSum sums[2];
  auto& [sum, weights] = sums;
  for (std::size_t row = 0; row < data.grades.size(); ++row) {
    const double weight = data.weights.empty() ? 1.0 : data.weights[row];
    sum.add(weight * data.grades[row]);
    weights.add(weight);
  }
  add_up(sums, data.communicator);
  const double total = weights.value();
  return total > 0 ? sum.value() / total : 0;
}

}  // namespace glassrank
