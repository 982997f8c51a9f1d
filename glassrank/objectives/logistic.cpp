#include "glassrank/objectives/logistic.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/agree.h"
#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/objectives/mean_grade.h"

namespace glassrank {
namespace {

constexpr double kSmallestChance = 1e-15;

}  // namespace

void Logistic::prepare(const ObjectiveData& data) {
  agree(data.communicator, [&] {
    for (std::size_t q = 0; q < data.queries.num_queries(); ++q) {
      const RowRange rows = data.queries.rows(q);
      for (const float grade : data.grades.subspan(rows.begin, rows.size())) {
        if (grade >= 0 && grade <= 1) continue;
        fail(ErrorKind::kInput,
             "query {}: grade {} is not between 0 and 1, as the logistic objective needs it",
             data.queries.id(q), grade);
      }
    }
  });
  const double chance = std::clamp(mean_grade(data), kSmallestChance, 1 - kSmallestChance);
  log_odds_ = portable_log(chance / (1 - chance));
}

void Logistic::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                         GradientView out) const {
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    const double chance = 1 / (1 + portable_exp(-query.scores[i]));
    out.gradient[i] = static_cast<float>(chance - query.grades[i]);
    out.hessian[i] = static_cast<float>(chance * (1 - chance));
  }
}

}  // namespace glassrank
