#include "glassrank/models/forest/score_trace.h"

#include <vector>

namespace glassrank {

void trace_scores(const Forest& forest, MatrixView<const float> rows, ScoreVisitor visit) {
  std::vector<double> scores(rows.num_rows(), forest.base_score());
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    const Tree& tree = forest.trees()[t];
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      scores[r] += tree.leaf_values[leaf_of(tree, rows.row(r))];
    }
    visit(t + 1, scores);
  }
}

}  // namespace glassrank
