#pragma once
// An objective given as functions: for callers who bring their own loss. The function sees one
// query with its grades and scores and writes gradients and hessians of its documents.
//
//   FunctionObjective objective({.gradients = [](const QueryView& query, GradientView out) { ...
//   }});
//
// It is called concurrently for different queries and must be pure. Results that boosting cannot
// use are refused by name: gradients that are not finite, hessians that are not finite or negative.

#include <functional>

#include "glassrank/objectives/objective.h"

namespace glassrank {

class FunctionObjective final : public Objective {
 public:
  struct Functions {
    // Finds gradients and hessians 0; overwrites what it wants. Required.
    std::function<void(const QueryView&, GradientView)> gradients;
    std::function<void(const ObjectiveData&)> prepare = {};
    std::function<double()> initial_score = {};  // asked after prepare; none: 0
  };

  // Throws Error{kUsage} without `gradients`.
  explicit FunctionObjective(Functions functions);

  void prepare(const ObjectiveData& data) override;
  // Throws Error{kInput} for results that cannot be used.
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  // Throws Error{kInput} if it is not finite.
  double initial_score() const override;

 private:
  Functions functions_;
};

}  // namespace glassrank
