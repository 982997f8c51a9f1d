#include "glassrank/objectives/squared_error.h"

#include "glassrank/objectives/mean_grade.h"

namespace glassrank {

void SquaredError::prepare(const ObjectiveData& data) { mean_ = mean_grade(data); }

void SquaredError::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                             GradientView out) const {
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    out.gradient[i] = static_cast<float>(query.scores[i] - query.grades[i]);
    out.hessian[i] = 1;
  }
}

}  // namespace glassrank
