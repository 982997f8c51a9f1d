#pragma once
// Squared error of the grade, which does not see queries (MART, LightGBM's `regression`):
//
//   loss = (score - grade)^2 / 2;   gradient = score - grade;   hessian = 1
//
// Scores start from the mean grade by row weights.

#include "glassrank/objectives/objective.h"

namespace glassrank {

class SquaredError final : public Objective {
 public:
  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  double initial_score() const override { return mean_; }

 private:
  double mean_ = 0;
};

}  // namespace glassrank
