#pragma once
// Cholesky's factor of a symmetric positive definite matrix: A = U' U with U upper triangular, and
// what follows from it: solutions of A x = b and the inverse.
//
// Matrices are row-major, size x size. Cost: size^3 / 6 multiplications to factor, size^2 to solve,
// size^2 / 2 to append a column.
// The matrices here have some hundred rows, so nothing is blocked.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace glassrank {

class Cholesky {
 public:
  // Nothing where the matrix is not positive definite: a pivot is below `tolerance` times its
  // diagonal entry, so that a column is (nearly) a combination of those before it. Reads the upper
  // triangle only.
  static std::optional<Cholesky> of(std::span<const double> matrix, std::size_t size,
                                    double tolerance = 1e-12);

  // Makes it the factor of the matrix with one more column, given down to its diagonal: size() + 1
  // values. False, and nothing changes, where of() would give nothing. Same bits as of().
  bool append(std::span<const double> column, double tolerance = 1e-12);

  std::size_t size() const { return size_; }
  // x = A^-1 x.
  void solve(std::span<double> x) const;
  // Row-major, both triangles.
  std::vector<double> inverse() const;

 private:
  Cholesky(std::vector<double> upper, std::size_t size) : upper_(std::move(upper)), size_(size) {}

  std::vector<double> upper_;
  std::size_t size_;
};

}  // namespace glassrank
