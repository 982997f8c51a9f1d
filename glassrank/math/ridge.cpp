#include "glassrank/math/ridge.h"

#include <optional>
#include <utility>
#include <vector>

#include "glassrank/math/cholesky.h"
#include "glassrank/math/gram.h"

namespace glassrank {

LinearFit fit_ridge(const LinearSample& sample, double alpha, const Context& context) {
  const CentredSample centred(sample);
  const LinearSample view = centred.view();
  const std::size_t size = view.num_columns();
  std::vector<double> gram = weighted_gram(view.inputs, view.weights, context);
  for (std::size_t j = 0; j < size; ++j) gram[j * size + j] += alpha;
  std::vector<double> solution = weighted_moments(view.inputs, view.weights, view.targets);
  // alpha > 0 makes it positive definite, however little the columns say; 0: no pivot is refused.
  if (const auto factor = Cholesky::of(gram, size, 0)) {
    factor->solve(solution);
  } else {
    solution.assign(size, 0);  // alpha was lost in rounding beside columns that are copies
  }
  return centred.fit_of(std::move(solution));
}

}  // namespace glassrank
