#include "glassrank/objectives/listnet.h"

#include <algorithm>

#include "glassrank/base/elementary.h"

namespace glassrank {

void Listnet::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                        GradientView out) const {
  const std::size_t n = query.grades.size();
  if (n == 0) return;
  // Against overflow: the greatest exponent is 0.
  const double top_score = *std::ranges::max_element(query.scores);
  const double top_grade = *std::ranges::max_element(query.grades);
  double score_sum = 0;
  double grade_sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    score_sum += portable_exp(query.scores[i] - top_score);
    grade_sum += portable_exp(query.grades[i] - top_grade);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double p = portable_exp(query.scores[i] - top_score) / score_sum;
    const double q = portable_exp(query.grades[i] - top_grade) / grade_sum;
    out.gradient[i] = static_cast<float>(p - q);
    out.hessian[i] = static_cast<float>(p * (1 - p));
  }
}

}  // namespace glassrank
