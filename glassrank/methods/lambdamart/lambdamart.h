#pragma once
// LambdaMART: boosted trees on lambdarank gradients (Burges 2010).
//
// With a validation set training stops when the metric has not risen for `patience` rounds and the
// model keeps the trees up to its best round; with patience 0 it is only watched and every tree is
// kept. `norm` on (the default) is what LightGBM trains, off is the plain method.
// The forest depends on data, parameters, seed and warm start, not on threads or interruptions: a
// run that goes on from `all_trees` of an interrupted one ends in the same forest and curve.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/training/training_data.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

struct LambdamartParams {
  BoosterParams boosting;
  ObjectiveParams objective;
  BinParams bins;
  SampleParams sample;
  std::vector<std::string> monotone;      // see feature_rules.h
  std::vector<std::string> interactions;  // see feature_rules.h
  WatchParams watch;
  int patience = 50;  // 0: never stops early
  double min_delta = 0;

  void visit(ParamVisitor& visitor);
  // Everything but the objective: for a method that has one of its own.
  void visit_without_objective(ParamVisitor& visitor);

 private:
  void visit_rest(ParamVisitor& visitor);
};

// Rounds at most where held-out data may stop them and num_trees is not given.
inline constexpr int kStoppedTrees = 1000;
void settle_rounds(LambdamartParams& params, bool has_held_out);

// Data in bins and rules by feature number, ready for any number of runs.
struct LambdamartData {
  BinnedDataset train;
  std::optional<BinnedDataset> valid;
  std::string valid_name = "valid";  // in the names of metrics
  std::vector<std::int8_t> monotone;
  std::optional<InteractionSets> interactions;
};

// Of params only bins, monotone and interactions matter. `valid` and `warm_start` may be null; a
// warm start's thresholds become bin borders, so that any forest will do. Throws Error{kInput}: no
// rows, no features, validation data or a warm start with other features or with zero as missing.
LambdamartData prepare_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context,
                                  const Forest* warm_start = nullptr);
// Rows as values or as bins, whichever there are, with validation data of its own.
LambdamartData prepare_lambdamart(const TrainingData& data, const LambdamartParams& params,
                                  const Context& context, const Forest* warm_start = nullptr);

struct LambdamartResult;

// How a run begins and what it tells on its way.
struct LambdamartRun {
  // Trees before the first round; num_trees are added to them. As many features as the data.
  std::optional<Forest> warm_start = std::nullopt;
  // `all_trees` of the same run when it was interrupted.
  std::optional<Forest> resumed = std::nullopt;
  std::size_t checkpoint_every = 0;  // rounds; 0: never
  std::function<void(const Forest& all_trees)> save_checkpoint = {};
  // Shown the result once the run is over, complete or interrupted.
  std::function<void(const LambdamartResult& result)> save_end = {};
  std::string name = {};      // in log and progress, if a run has several trainings: "bag 2"
  std::size_t log_every = 0;  // rounds to a log line; 0: the progress sink instead
  std::vector<RoundObserver*> observers = {};  // more of them, not owned
  const TreeConstraint* constraint = nullptr;  // instead of the data's interactions; not owned
  Objective* objective = nullptr;              // instead of the parameters' own; not owned
  Sampler* sampler = nullptr;                  // the same
};

struct LambdamartResult {
  Forest forest;     // warm start and kept rounds
  Forest all_trees;  // warm start and every round
  BoostingEnd end = BoostingEnd::kAllRounds;
  std::size_t num_rounds = 0;  // of this run; a warm start's trees do not count
  std::size_t best_round = 0;  // rounds kept
  double best_metric = 0;      // on the validation set after them; NaN without one
  // Columns "train ndcg@10", "valid ndcg@10", ... and their values after every round.
  std::vector<std::string> curve_names;
  std::vector<std::vector<double>> curve;
  std::vector<RoundCost> costs;  // of every round
};

// Throws Error{kUsage} for parameters that do not fit together.
LambdamartResult train_lambdamart(const LambdamartData& data, const LambdamartParams& params,
                                  const LambdamartRun& run, const Context& context);

// From the beginning. `valid` may be null.
LambdamartResult train_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context);

}  // namespace glassrank
