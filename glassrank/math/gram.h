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

// Rows laid out for it once, to be weighted again and again.
class GramRows {
 public:
  explicit GramRows(MatrixView<const double> rows);
  // Row-major, both triangles.
  std::vector<double> weighted(std::span<const double> weights, const Context& context) const;

 private:
  std::size_t num_rows_;
  std::size_t num_columns_;
  std::size_t stride_;  // columns with zeros after them
  std::vector<double> padded_;
};

std::vector<double> weighted_gram(MatrixView<const double> rows, std::span<const double> weights,
                                  const Context& context);
std::vector<double> weighted_moments(MatrixView<const double> rows, std::span<const double> weights,
                                     std::span<const double> targets);

}  // namespace glassrank
