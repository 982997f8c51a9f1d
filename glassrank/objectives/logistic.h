#pragma once
// Logistic loss of grades that are probabilities of relevance (0 and 1, or anything between), which
// does not see queries (LightGBM's `binary` and `cross_entropy`):
//
//   p = 1 / (1 + exp(-score));   loss = -grade * log(p) - (1 - grade) * log(1 - p)
//   gradient = p - grade;        hessian = p * (1 - p)
//
// Scores are log-odds and start from those of the mean grade by row weights, which is kept away
// from 0 and 1 by 1e-15 (as LightGBM). Grades above 1 are an error, not cut off.

#include "glassrank/objectives/objective.h"

namespace glassrank {

class Logistic final : public Objective {
 public:
  // Throws Error{kInput} for a grade outside [0, 1].
  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  double initial_score() const override { return log_odds_; }

 private:
  double log_odds_ = 0;
};

}  // namespace glassrank
