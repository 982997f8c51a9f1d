#include "glassrank/explain/tree_shap/shap_engine.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

// Rows whose sparse interactions are kept while they are spread out to matrices.
constexpr std::size_t kRowsAtOnce = 256;

void check_size(std::string_view what, MatrixView<double> out, std::size_t num_rows,
                std::size_t num_columns) {
  if (out.num_rows() != num_rows || out.num_columns() != num_columns) {
    fail(ErrorKind::kUsage, "room for {} x {} {} where there are {} x {}", out.num_rows(),
         out.num_columns(), what, num_rows, num_columns);
  }
}

void check_rows(MatrixView<const float> rows, std::size_t num_features) {
  if (rows.num_columns() < num_features) {
    fail(ErrorKind::kUsage, "rows of {} features for a model of {}", rows.num_columns(),
         num_features);
  }
}

void spread_out(std::span<const double> values, std::span<const double> interactions,
                std::span<const FeaturePair> pairs, std::span<double> matrix) {
  const std::size_t n = values.size();
  std::ranges::fill(matrix, 0.0);
  for (std::size_t f = 0; f < n; ++f) matrix[f * n + f] = values[f];
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    const double half = interactions[p] / 2;
    matrix[i * n + j] = matrix[j * n + i] = half;
    matrix[i * n + i] -= half;
    matrix[j * n + j] -= half;
  }
}

}  // namespace

void ShapEngine::values(MatrixView<const float> rows, MatrixView<double> values,
                        const Context& context) const {
  check_rows(rows, num_features());
  check_size("values", values, rows.num_rows(), num_features());
  values_checked(rows, values, context);
}

void ShapEngine::interactions(MatrixView<const float> rows, MatrixView<double> values,
                              MatrixView<double> interactions, const Context& context) const {
  check_rows(rows, num_features());
  check_size("values", values, rows.num_rows(), num_features());
  check_size("interactions", interactions, rows.num_rows(), pairs().size());
  interactions_checked(rows, values, interactions, context);
}

void ShapEngine::interaction_matrices(MatrixView<const float> rows, MatrixView<double> matrices,
                                      const Context& context) const {
  const std::size_t n = num_features();
  check_rows(rows, n);
  check_size("interactions", matrices, rows.num_rows(), n * n);
  const std::size_t most = std::min(rows.num_rows(), kRowsAtOnce);
  std::vector<double> values(most * n);
  std::vector<double> sparse(most * pairs().size());
  for (std::size_t begin = 0; begin < rows.num_rows(); begin += kRowsAtOnce) {
    const std::size_t size = std::min(kRowsAtOnce, rows.num_rows() - begin);
    const MatrixView<double> block_values(values.data(), size, n);
    const MatrixView<double> block_sparse(sparse.data(), size, pairs().size());
    interactions_checked({rows.data() + begin * rows.num_columns(), size, rows.num_columns()},
                         block_values, block_sparse, context);
    parallel_for(context, size, 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {
        spread_out(block_values.row(r), block_sparse.row(r), pairs(), matrices.row(begin + r));
      }
    });
  }
}

}  // namespace glassrank
