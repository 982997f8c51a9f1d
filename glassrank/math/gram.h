#pragma once
// Sums of products over weighted rows: all that least squares needs to know of its data.
//
//   gram[i][j] = sum over rows r of w_r x_ri x_rj          moments[j] = sum of w_r y_r x_rj
//
// Every entry is added up in the order of the rows, so the result has the same bits for any number
// of threads and any instruction set. Cost: rows x columns^2 / 2 multiplications, four to eight at
// a time: 1 ms for 2,000 rows of 136.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

// Rows laid out once, to be multiplied again and again: as floats, for their number is what passes
// over them cost. All sums are of doubles.
class GramRows {
 public:
  // Rows have this many columns.
  explicit GramRows(std::size_t num_columns);
  void add(std::span<const double> row);

  std::size_t num_rows() const { return rows_.size() / stride_; }
  std::size_t num_columns() const { return num_columns_; }

  // sum of w_r x_r x_r', row-major, both triangles.
  std::vector<double> weighted(std::span<const double> weights, const Context& context) const;
  // X vector: one number per row.
  std::vector<double> times(std::span<const double> vector) const;
  // X' values: one number per column.
  std::vector<double> transposed_times(std::span<const double> values) const;

 private:
  std::size_t num_columns_;
  std::size_t stride_;  // columns with zeros after them
  std::vector<float> rows_;
};

std::vector<double> weighted_gram(MatrixView<const double> rows, std::span<const double> weights,
                                  const Context& context);
std::vector<double> weighted_moments(MatrixView<const double> rows, std::span<const double> weights,
                                     std::span<const double> targets);

}  // namespace glassrank
