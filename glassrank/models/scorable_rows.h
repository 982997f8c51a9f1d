#pragma once
// What every scorer asks of the rows it is given.

#include <cstddef>

#include "glassrank/base/error.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

// Throws Error{kUsage}: fewer features than the model has, or room for another number of scores.
inline void check_scorable(MatrixView<const float> rows, std::size_t num_features,
                           std::size_t num_scores) {
  if (rows.num_columns() < num_features) {
    fail(ErrorKind::kUsage, "rows of {} features for a model of {}", rows.num_columns(),
         num_features);
  }
  if (rows.num_rows() != num_scores) {
    fail(ErrorKind::kUsage, "{} rows but room for {} scores", rows.num_rows(), num_scores);
  }
}

}  // namespace glassrank
