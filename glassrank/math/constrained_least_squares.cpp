#include "glassrank/math/constrained_least_squares.h"

#include <numeric>

#include "glassrank/base/parallel.h"
#include "glassrank/math/cholesky.h"
#include "glassrank/math/gram.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerTask = 64;

}  // namespace

std::optional<ConstrainedLeastSquares> ConstrainedLeastSquares::of(MatrixView<const double> rows,
                                                                   std::span<const double> weights,
                                                                   const Context& context) {
  const std::size_t size = rows.num_columns();
  std::vector<double> gram = weighted_gram(rows, weights, context);
  double diagonal = 0;
  for (std::size_t j = 0; j < size; ++j) diagonal += gram[j * size + j];
  const double kappa = diagonal / static_cast<double>(size);  // of the size of the rest
  for (double& value : gram) value += kappa;
  const auto factor = Cholesky::of(gram, size, 1e-11);
  if (!factor) return std::nullopt;
  ConstrainedLeastSquares result;
  result.rows_ = rows;
  result.weights_ = weights;
  result.inverse_ = factor->inverse();
  result.row_sums_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto row = std::span(result.inverse_).subspan(i * size, size);
    result.row_sums_[i] = std::accumulate(row.begin(), row.end(), 0.0);
    result.inverse_sum_ += result.row_sums_[i];
  }
  return result;
}

std::vector<double> ConstrainedLeastSquares::solve(std::span<const double> targets,
                                                   double total) const {
  // The added row's right side kappa * total * 1 is a multiple of 1, and those only shift lambda.
  const std::vector<double> moments = weighted_moments(rows_, weights_, targets);
  const std::size_t size = moments.size();
  std::vector<double> phi(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) phi[i] += inverse_[i * size + j] * moments[j];
    sum += phi[i];
  }
  const double lambda = (sum - total) / inverse_sum_;
  for (std::size_t i = 0; i < size; ++i) phi[i] -= lambda * row_sums_[i];
  return phi;
}

std::vector<double> ConstrainedLeastSquares::influence(const Context& context) const {
  const std::size_t size = rows_.num_columns();
  std::vector<double> projected = inverse_;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      projected[i * size + j] -= row_sums_[i] * row_sums_[j] / inverse_sum_;
    }
  }
  std::vector<double> influence(rows_.num_rows() * size);
  parallel_for(context, rows_.num_rows(), kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      double* const out = &influence[r * size];
      const auto row = rows_.row(r);
      for (std::size_t i = 0; i < size; ++i) {
        if (row[i] == 0) continue;  // half of a coalition's entries
        const double factor = weights_[r] * row[i];
        const double* const from = &projected[i * size];
        for (std::size_t j = 0; j < size; ++j) out[j] += factor * from[j];
      }
    }
  });
  return influence;
}

}  // namespace glassrank
