#include "glassrank/math/cholesky.h"

#include <cmath>

namespace glassrank {

std::optional<Cholesky> Cholesky::of(std::span<const double> matrix, std::size_t size,
                                     double tolerance) {
  std::vector<double> upper(matrix.begin(), matrix.end());
  for (std::size_t k = 0; k < size; ++k) {
    double* const pivot_row = &upper[k * size];
    if (!(pivot_row[k] > tolerance * matrix[k * size + k]) || !std::isfinite(pivot_row[k])) {
      return std::nullopt;
    }
    const double root = std::sqrt(pivot_row[k]);
    for (std::size_t j = k; j < size; ++j) pivot_row[j] /= root;
    pivot_row[k] = root;
    // Rows are changed as wholes, so that the loop over j vectorises.
    for (std::size_t i = k + 1; i < size; ++i) {
      double* const row = &upper[i * size];
      const double factor = pivot_row[i];
      for (std::size_t j = i; j < size; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  return Cholesky(std::move(upper), size);
}

bool Cholesky::append(std::span<const double> column, double tolerance) {
  std::vector<double> entries(column.begin(), column.end());
  for (std::size_t k = 0; k < size_; ++k) {  // what of() does to this column, in its order
    const double* const row = &upper_[k * size_];
    entries[k] /= row[k];
    for (std::size_t j = k + 1; j < size_; ++j) entries[j] -= row[j] * entries[k];
    entries[size_] -= entries[k] * entries[k];
  }
  if (!(entries[size_] > tolerance * column[size_]) || !std::isfinite(entries[size_])) return false;
  entries[size_] = std::sqrt(entries[size_]);
  const std::size_t size = size_ + 1;
  std::vector<double> upper(size * size);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t j = k; j < size_; ++j) upper[k * size + j] = upper_[k * size_ + j];
    upper[k * size + size_] = entries[k];
  }
  upper_ = std::move(upper);
  size_ = size;
  return true;
}

void Cholesky::solve(std::span<double> x) const {
  for (std::size_t k = 0; k < size_; ++k) {  // U' y = x
    const double* const row = &upper_[k * size_];
    x[k] /= row[k];
    for (std::size_t j = k + 1; j < size_; ++j) x[j] -= row[j] * x[k];
  }
  for (std::size_t k = size_; k-- > 0;) {  // U x = y
    const double* const row = &upper_[k * size_];
    double rest = x[k];
    for (std::size_t j = k + 1; j < size_; ++j) rest -= row[j] * x[j];
    x[k] = rest / row[k];
  }
}

std::vector<double> Cholesky::inverse() const {
  std::vector<double> inverse(size_ * size_);
  // Rows of V = U^-1 from the last one up: V_k = (e_k - sum over j > k of U_kj V_j) / U_kk. Then
  // A^-1 = V V'; rows of both are contiguous.
  std::vector<double> v(size_ * size_);
  for (std::size_t k = size_; k-- > 0;) {
    const double* const row = &upper_[k * size_];
    double* const out = &v[k * size_];
    out[k] = 1;
    for (std::size_t j = k + 1; j < size_; ++j) {
      for (std::size_t c = j; c < size_; ++c) out[c] -= row[j] * v[j * size_ + c];
    }
    for (std::size_t c = k; c < size_; ++c) out[c] /= row[k];
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) {
      double sum = 0;
      for (std::size_t c = j; c < size_; ++c) sum += v[i * size_ + c] * v[j * size_ + c];
      inverse[i * size_ + j] = sum;
      inverse[j * size_ + i] = sum;
    }
  }
  return inverse;
}

}  // namespace glassrank
