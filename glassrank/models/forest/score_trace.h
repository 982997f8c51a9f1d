#pragma once
// Scores of rows after every tree of a forest, by plain traversal.
//
// visit(num_trees, scores) is called for 1, 2, ... trees; scores are those of
// Forest::first_trees(num_trees), bit by bit. Cost: one walk per row and tree.

#include <cstddef>
#include <span>

#include "glassrank/base/function_ref.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

using ScoreVisitor = FunctionRef<void(std::size_t num_trees, std::span<const double> scores)>;

// Values beyond a row's end count as missing.
void trace_scores(const Forest& forest, MatrixView<const float> rows, ScoreVisitor visit);

// Some consecutive rows of a matrix, for example those of a query.
inline MatrixView<const float> rows_between(MatrixView<const float> matrix, std::size_t begin,
                                            std::size_t end) {
  return {matrix.data() + begin * matrix.num_columns(), end - begin, matrix.num_columns()};
}

}  // namespace glassrank
