#pragma once
// One regression tree on the grades, whatever the query: the decision tree of the decision-path
// paper, and what random forests average.
//
//   split   the one that lowers the sum of squared errors most
//   leaf    the mean grade of its training rows
// Limits are shares of the training rows, as scikit-learn's min_samples_split and min_samples_leaf
// when these are fractions: a node with fewer than ceil(min_split * rows) rows is not divided, a
// leaf has at least ceil(min_leaf * rows).
// Thresholds lie between bins (bin_edges.h): with max_bins distinct values or fewer every place
// between two values is tried, as scikit-learn does.

#include "glassrank/base/params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"

namespace glassrank {

struct TreeParams {
  int max_depth = 4;
  int num_leaves = 0;  // 0: no limit
  double min_split = 0.1;
  double min_leaf = 0.1;
  int max_bins = 255;
  WatchParams watch;

  void visit(ParamVisitor& visitor);
};

// Boosting of one tree that does just this.
LambdamartParams one_tree(const TreeParams& params, std::size_t num_rows);

}  // namespace glassrank
