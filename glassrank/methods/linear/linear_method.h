#pragma once
// A linear model by one of several losses:
//
//   squared_error   ridge regression of the grades, exact (ridge_rows.h): linear regression
//   any other       steps against the objective's gradient (ranknet/net_training.h): listnet,
//                   lambdarank, pairwise, ...
// Features are standardised first, and the scale becomes part of the weights (feature_scaling.h);
// missing values count as the feature's mean. RankLib's linear regression is normalise = none.
// Ridge regression has a penalty of 1e-10 at least, as RankLib's: features that follow from others
// would leave it without a solution.

#include "glassrank/base/params.h"
#include "glassrank/methods/ranknet/net_training.h"

namespace glassrank {

struct LinearParams {
  Normalise normalise = Normalise::kStandardise;
  NetTrainingParams training;  // ridge regression takes nothing but the objective and l2 of it

  LinearParams();
  void visit(ParamVisitor& visitor);
  // Whether the weights are solved for.
  bool is_exact() const;
};

}  // namespace glassrank
