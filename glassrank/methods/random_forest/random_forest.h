#pragma once
// A random forest on the grades (Breiman 2001): the mean of regression trees, each grown on a share
// of the queries with a share of the features.
//
//   score(x) = mean over trees of the mean grade in x's leaf
// Queries are drawn whole and without replacement, 63.2 % of them by default: as many different
// ones as a bootstrap sample has. Features are drawn for each tree, as RankLib does; scikit-learn
// draws for each split.
// Out-of-bag: a query is scored by the trees that have not seen it. The metrics of these scores say
// what the forest is worth on new queries, without any data set apart.
//
// Trees do not depend on each other: one run of boosting grows them all on the same gradients
// (FixedTarget), so that samplers, checkpoints, resume and threads are those of boosting.

#include <cstdint>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/boosting/sampling/sampling.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/objectives/objective.h"

namespace glassrank {

struct RandomForestParams {
  int num_trees = 300;
  int num_leaves = 100;
  int max_depth = 0;
  std::int64_t min_leaf_rows = 1;
  double feature_fraction = 0.3;
  double query_fraction = 0.632;
  int max_bins = 255;
  WatchParams watch;

  void visit(ParamVisitor& visitor);
};

// The gradient of squared error at the mean grade, whatever the scores.
class FixedTarget final : public Objective {
 public:
  void prepare(const ObjectiveData& data) override;
  void gradients(const QueryView& query, ObjectiveScratch& scratch,
                 GradientView out) const override;
  double initial_score() const override { return mean_; }

 private:
  double mean_ = 0;
};

// Every tree by its share: leaf values divided by the number of trees.
Forest averaged(const Forest& grown);

// Scores by the trees that did not see a row, with the number of such trees. `sampler` is the one
// the trees were grown with.
struct OutOfBag {
  std::vector<double> scores;  // of the rows that some tree left out; others have the base score
  std::vector<std::uint32_t> num_trees;
};
OutOfBag out_of_bag(const Forest& grown, const BinnedDataset& data, Sampler& sampler,
                    const Context& context);

}  // namespace glassrank
