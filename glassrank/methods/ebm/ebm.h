#pragma once
// EBM: explainable boosting (Lou et al., KDD 2012 and 2013; interpret 0.2.7's semantics), a Gam of
// curves and, with num_interactions, surfaces; for ranking with any objective.
//
//   1. Bins: max_bins cells a feature, pair_bins for surfaces, both with the missing one.
//   2. Each of the bags holds out a share of the queries and boosts every curve cyclically
//      on the others (ebm/cyclic.h, ebm/step.h), from the objective's initial score.
//   3. num_interactions > 0: FAST ranks all pairs in every bag, on the gradients its curves leave;
//      the pairs with the best mean rank over bags are chosen, of equal ones the smaller features.
//   4. Each bag boosts the chosen surfaces the same way, its curves fixed.
//   5. The model is the mean of the bags (ebm/bagged_gam.h).
// With valid_share 0 nothing is held out and, as in interpret 0.2.7, no row is drawn: all bags
// would be one and the same. One is trained then, and the model has no errors. Asked to stop, the
// model is the mean of the bags that have begun, each at its best visit so far: with surfaces if
// any bag has begun with those. Objective squared_error (the default, as in the papers' tables)
// stops on the held-out squared error after any visit and boosts four bags at a time
// (ebm/lane_boosting.h), others stop on `metric` after a round. Bags, or groups of four, are spread
// over the threads, and rows over those that are left; on several machines one group is boosted at
// a time. The model depends on data, parameters and seed only. Memory: one byte a value for every
// bag or group in work, and two bytes a row and surface.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/pairs/fast_pairs.h"
#include "glassrank/methods/training/bags.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

struct EbmParams {
  ObjectiveParams objective = {.objective = "squared_error"};
  int max_bins = 256;
  int pair_bins = 32;
  int num_interactions = 0;
  BagParams bagging = {.bags = 8, .stop_on = StopOn::kBag};
  BagSplit split = BagSplit::kQuery;
  double learning_rate = 0.01;
  int num_leaves = 3;
  int min_leaf_rows = 2;
  double min_leaf_hessian = 1e-3;
  int max_rounds = 5000;
  int patience = 50;
  double tolerance = 1e-4;
  int gradients_every = 0;
  WatchParams watch;  // the stop metric is not squared_error's

  void visit(ParamVisitor& visitor);
};

// How one stage of one bag went. Losses are mean squared errors, or negative metrics.
struct EbmStage {
  std::size_t num_rounds = 0;
  double kept_rounds = 0;  // visits kept / effects
  double start_loss = std::numeric_limits<double>::quiet_NaN();
  double best_loss = std::numeric_limits<double>::quiet_NaN();
};

struct EbmBag {
  std::size_t num_train_rows = 0;
  std::size_t num_held_out_rows = 0;
  EbmStage curves;
  EbmStage surfaces;
  std::vector<double> losses;  // after every round of the curves, then of the surfaces
};

struct EbmResult {
  Gam gam;
  std::vector<EbmBag> bags;
  // The chosen pairs, best first; statistic is minus the mean rank over bags (0 is first in all).
  std::vector<RankedFeaturePair> pairs;
  bool is_interrupted = false;  // bags and pairs are then those of the model
};

struct EbmRun {
  std::size_t log_every = 0;           // rounds of a bag to a line of the log; 0: none
  Checkpoints* checkpoints = nullptr;  // of bags that have ended a stage; not owned
};

// `valid` may be null. Collective. Throws
// Error{kInput}: no rows, no features, validation data with another number of features, nothing to
// hold out; Error{kUsage}: parameters out of range, more interactions than pairs, stop_on valid
// without validation data, an unknown objective or metric, a learning rate so large that no number
// is left (where rows are held out, a bag's best tables are kept instead, with a warning);
// Error{kInterrupted} when stopped before the first round.
EbmResult train_ebm(const Dataset& train, const Dataset* valid, const EbmParams& params,
                    const Context& context, const EbmRun& run = {});

}  // namespace glassrank
