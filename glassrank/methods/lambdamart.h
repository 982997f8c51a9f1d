#pragma once
// LambdaMART: boosted trees on lambdarank gradients (Burges 2010).
//
// With a validation set training stops when the metric has not risen for `patience` rounds and the
// model keeps the trees up to its best round. `norm` on (the default) is what LightGBM trains,
// off is the plain method.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

struct LambdamartParams {
  BoosterParams boosting;
  ObjectiveParams objective;
  BinParams bins;
  std::string metric = "ndcg@10";
  int patience = 100;  // 0: never stops early
  double min_delta = 0;

  void visit(ParamVisitor& visitor);
};

struct LambdamartResult {
  Forest forest;
  BoostingEnd end = BoostingEnd::kAllRounds;
  std::size_t num_rounds = 0;
  double best_metric = 0;  // on the validation set; NaN without one
  // Metric of training and validation set (if any) after every round.
  std::vector<std::vector<double>> curve;
};

// `valid` may be null. Throws Error{kInput} when its features differ in number.
LambdamartResult train_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context);

}  // namespace glassrank
