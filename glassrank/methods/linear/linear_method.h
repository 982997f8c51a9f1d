#pragma once
// A linear model by one of several losses:
//
//   squared_error   ridge regression of the grades, exact (ridge_rows.h): linear regression
//   any other       steps against the objective's gradient (ranknet/net_training.h): listnet,
//                   lambdarank, pairwise, ...
// Features are standardised first, and the scale becomes part of the weights (feature_scaling.h);
// missing values count as the feature's mean. RankLib's linear regression is normalise = none,
// l2 = 1e-10.

#include "glassrank/base/params.h"
#include "glassrank/methods/ranknet/net_training.h"

namespace glassrank {

struct LinearParams {
  Normalise normalise = Normalise::kStandardise;
  double ridge = 1e-10;
  NetTrainingParams training;  // of the other losses

  LinearParams();
  void visit(ParamVisitor& visitor);
  bool is_exact() const { return training.objective.objective == "squared_error"; }
};

}  // namespace glassrank
