#pragma once
// RankBoost from data to an additive model (rankboost.h says how a round goes).
//
// After each round the metrics are taken; the model keeps the rounds up to the best one on the
// validation data, and training ends after `patience` rounds without a better one. It ends early,
// too, when no test tells pairs apart (r = 0), and when one orders every pair right (r = 1): that
// test alone is then a perfect model, with alpha as for r = 1 - 1e-9.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct RankboostParams {
  int num_rounds = 300;
  int thresholds = 10;  // 0: all
  int patience = 0;     // 0: never stops early
  WatchParams watch;

  void visit(ParamVisitor& visitor);
};

struct RankboostRound {
  std::uint32_t feature = 0;
  float threshold = 0;
  double alpha = 0;
};

struct RankboostResult {
  Gam gam;
  std::vector<RankboostRound> rounds;  // all of them, kept or not
  std::size_t best_round = 0;          // rounds kept
  std::vector<std::string> curve_names;
  std::vector<std::vector<double>> curve;
  double best_metric = 0;  // NaN without validation data
  bool is_interrupted = false;
};

struct RankboostRun {
  std::string name = {};
  std::size_t log_every = 0;
  Checkpoints* checkpoints = nullptr;
};

// `valid` may be null. Throws Error{kInput}: no rows, no features, other features in the validation
// data, an infinite value, no pair of different grades in any query; Error{kInterrupted} when
// stopped before the first round.
RankboostResult train_rankboost(const Dataset& train, const Dataset* valid,
                                const RankboostParams& params, const Context& context,
                                const RankboostRun& run = {});

// The curves of the first rounds, objective "rankboost"; cells have the weights of the training
// rows.
Gam rankboost_gam(std::span<const RankboostRound> rounds, const Dataset& train,
                  const Context& context);

}  // namespace glassrank
