#pragma once
// Coordinate ascent (Metzler and Croft 2007): a linear model that climbs a ranking metric directly,
// one weight at a time.
//
//   start    all weights 1 / features; features in an order drawn for each restart
//   a try    weight := 0, and weight +- steps that double: 0.05 * |weight| (0.001 from 0), as often
//            as `iterations` says
//   a move   the try with the best metric on the training data, if it is better than now; weights
//            are then divided by the sum of their amounts, which changes no ranking
//   end      of a restart: a round over all features gained less than `tolerance`
// The best restart is kept: by the validation metric, or the training metric without such data.
// Queries count by the mean weight of their rows. The metric of training never falls, from try to
// try. As RankLib's, but that features may be standardised first. Cost: a query is ranked for those
// tries between which two of its documents of different grades change places (scored_rows.h).

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/feature_scaling.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {

struct CoordinateAscentParams {
  int restarts = 5;
  int iterations = 25;
  double step_base = 0.05;
  double step_scale = 2;
  double tolerance = 0.001;
  Normalise normalise = Normalise::kStandardise;
  WatchParams watch;  // the stop metric is climbed

  void visit(ParamVisitor& visitor);
};

struct CoordinateAscentResult {
  Linear linear;
  double train_metric = 0;
  double valid_metric = 0;           // NaN without validation data
  std::size_t best_restart = 0;      // from 1
  std::vector<double> train_values;  // of every move of the best restart: they rise
  bool is_interrupted = false;
};

struct CoordinateAscentRun {
  std::string name = {};
  std::size_t log_every = 0;           // climbs to a line of the log; 0: the progress line instead
  Checkpoints* checkpoints = nullptr;  // of whole climbs
  const Dataset* scaled_by = nullptr;  // rows that say how features are scaled; null: `train`
};

// `valid` may be null. Throws Error{kInput}: no rows, no features, other features in the validation
// data, an infinite value, no query that counts; Error{kInterrupted} when stopped before the end of
// the first restart.
CoordinateAscentResult train_coordinate_ascent(const Dataset& train, const Dataset* valid,
                                               const CoordinateAscentParams& params,
                                               const Context& context,
                                               const CoordinateAscentRun& run = {});

}  // namespace glassrank
