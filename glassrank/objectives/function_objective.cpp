#include "glassrank/objectives/function_objective.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"

namespace glassrank {

FunctionObjective::FunctionObjective(Functions functions) : functions_(std::move(functions)) {
  if (!functions_.gradients) fail(ErrorKind::kUsage, "the objective has no gradients function");
}

void FunctionObjective::prepare(const ObjectiveData& data) {
  if (functions_.prepare) agree(data.communicator, [&] { functions_.prepare(data); });
}

void FunctionObjective::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                                  GradientView out) const {
  std::ranges::fill(out.gradient, 0.0F);
  std::ranges::fill(out.hessian, 0.0F);
  functions_.gradients(query, out);
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    const float gradient = out.gradient[i];
    const float hessian = out.hessian[i];
    if (std::isfinite(gradient) && std::isfinite(hessian) && hessian >= 0) continue;
    fail(
        ErrorKind::kInput,
        "the objective gave gradient {} and hessian {} for document {} of query number {} in round "
        "{}; both must be finite and the hessian not negative",
        gradient, hessian, i + 1, query.query + 1, query.round + 1);
  }
}

double FunctionObjective::initial_score() const {
  const double score = functions_.initial_score ? functions_.initial_score() : 0;
  if (!std::isfinite(score)) {
    fail(ErrorKind::kInput, "the objective's initial score is {}; it must be finite", score);
  }
  return score;
}

}  // namespace glassrank
