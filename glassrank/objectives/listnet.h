#pragma once
// ListNet's loss with top-one probabilities (Cao et al. 2007):
//
//   p = softmax(scores),  q = softmax(grades);  loss of a query = - sum over documents of q log p
//   gradient = p - q,  hessian = p (1 - p)
//
// Every document counts by its grade alone, whatever its rank. Cost: two exp a document.

#include "glassrank/objectives/objective.h"

namespace glassrank {

class Listnet final : public Objective {
 public:
  void prepare(const ObjectiveData& /*data*/) override {}
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
};

}  // namespace glassrank
