#include "glassrank/methods/linear/ridge_rows.h"

#include <algorithm>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/math/cholesky.h"
#include "glassrank/math/gram.h"

namespace glassrank {
namespace {

constexpr std::size_t kBlockRows = 4096;

// The last column is 1, for the intercept.
struct Equations {
  std::vector<double> gram;
  std::vector<double> moments;
};

void add(Equations& to, const Equations& from) {
  if (to.gram.empty()) {
    to = from;
    return;
  }
  for (std::size_t i = 0; i < to.gram.size(); ++i) to.gram[i] += from.gram[i];
  for (std::size_t i = 0; i < to.moments.size(); ++i) to.moments[i] += from.moments[i];
}

Equations equations_of(const Dataset& data, const FeatureScaling& scaling, std::size_t begin,
                       std::size_t end) {
  const std::size_t num_columns = scaling.num_features() + 1;
  const std::size_t num_rows = end - begin;
  std::vector<double> rows(num_rows * num_columns, 1.0);
  std::vector<double> weights(num_rows);
  std::vector<double> grades(num_rows);
  for (std::size_t i = 0; i < num_rows; ++i) {
    scaling.apply(data.row(begin + i),
                  std::span(rows).subspan(i * num_columns, scaling.num_features()));
    weights[i] = data.weight(begin + i);
    grades[i] = data.grades()[begin + i];
  }
  const MatrixView<const double> view(rows.data(), num_rows, num_columns);
  // Blocks run side by side, so that each needs one thread only.
  const Context alone{.threads = std::make_shared<const Threads>(1)};
  return {.gram = weighted_gram(view, weights, alone),
          .moments = weighted_moments(view, weights, grades)};
}

}  // namespace

RidgeFit fit_ridge_rows(const Dataset& data, const FeatureScaling& scaling, double l2,
                        const Context& context) {
  const std::size_t size = scaling.num_features() + 1;
  Equations sums = ordered_reduce(
      context, data.num_rows(), kBlockRows, Equations{},
      [&](std::size_t begin, std::size_t end) { return equations_of(data, scaling, begin, end); },
      [](Equations& total, Equations&& part) { add(total, part); });
  const double total_weight = sums.gram.empty() ? 0 : sums.gram.back();
  if (total_weight <= 0) fail(ErrorKind::kInput, "no row of the training data has any weight");
  double mean_diagonal = 0;
  for (std::size_t f = 0; f + 1 < size; ++f) {
    // Features without a scale are constant 0: any penalty gives them the weight 0.
    if (scaling.scales[f] == 0) sums.gram[f * size + f] = total_weight;
    mean_diagonal += sums.gram[f * size + f] / static_cast<double>(size - 1);
  }
  for (double penalty = l2;; penalty = std::max(10 * penalty, 1e-12 * mean_diagonal)) {
    std::vector<double> matrix = sums.gram;
    for (std::size_t f = 0; f + 1 < size; ++f) matrix[f * size + f] += penalty;
    const auto factor = Cholesky::of(matrix, size);
    if (!factor) continue;
    std::vector<double> solution = sums.moments;
    factor->solve(solution);
    RidgeFit fit{.weights = {}, .intercept = solution.back(), .l2 = penalty};
    solution.pop_back();
    fit.weights = std::move(solution);
    return fit;
  }
}

}  // namespace glassrank
