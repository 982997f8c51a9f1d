#pragma once
// Sums of products of two matrices, added to a third: all the arithmetic of dense layers.
//
//   sum[r][c] += left[r][0] right[0][c] + left[r][1] right[1][c] + ...
//
// Every entry is added up in the order of the inner index, one rounded product after the other: the
// result has the same bits as three plain loops, on any instruction set. Instructions are chosen at
// run time (Highway). Cost: rows x inner x columns multiplications, up to eight at a time.

#include <cstddef>

namespace glassrank {

// Columns of `right` and `sum` come in whole groups of so many.
inline constexpr std::size_t kProductColumns = 8;
constexpr std::size_t padded_columns(std::size_t count) {
  return (count + kProductColumns - 1) / kProductColumns * kProductColumns;
}

struct MatrixProduct {
  // left[r][k] = left[r * left_row + k * left_step]: either way round.
  const double* left = nullptr;
  std::size_t left_row = 0;
  std::size_t left_step = 1;
  const double* right = nullptr;  // right[k][c] = right[k * right_row + c]
  std::size_t right_row = 0;
  double* sum = nullptr;  // sum[r][c] = sum[r * sum_row + c]
  std::size_t sum_row = 0;
  std::size_t num_rows = 0;
  std::size_t num_inner = 0;
  std::size_t num_columns = 0;  // a multiple of kProductColumns
};

void add_product(const MatrixProduct& product);

}  // namespace glassrank
