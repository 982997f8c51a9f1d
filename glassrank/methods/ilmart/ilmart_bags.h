#pragma once
// ILMART in outer bags: the mean of several models, each trained without some of the queries.
//
//   1. Each of bags bags leaves out valid_share of the queries (bags.h) and learns its main
//      effects (step 1 of ilmart.h) on the others, with random numbers of its own; it is stopped by
//      the queries it left out (stop_on bag) or by the validation data (stop_on valid).
//   2. Pairs are chosen once, on all training data, after the mean of the main effects: the model
//      has no more of them than one without bags.
//   3. Each bag goes on from its own main effects (step 3).
//   4. The model is the mean of the bags (models/forest_bags.h).
// One model stopped by few queries follows their noise; bags stop at different places, and their
// mean does not. With stop_on bag, one bag or several, the training sees no validation data; a
// cleaner or a search that goes by it still does.
// Asked to stop, the model is the mean of the bags begun, each at its best round so far: of those
// with interactions if there are any. Bags run one after the other, each on all threads, with
// checkpoints of their own for both steps. In the result, the curve is the bags' curves one after
// the other (IlmartBag has their lengths), best_round is the mean number of trees a bag keeps,
// best_metric the mean model's.

#include "glassrank/base/context.h"
#include "glassrank/methods/ilmart/ilmart.h"

namespace glassrank {

// params is bagged. Every bag has the stages of `run` and goes on from what run.of_bag finds for
// it. Throws as train_lambdamart does.
IlmartResult train_ilmart_bags(const LambdamartData& data, const IlmartParams& params,
                               const IlmartRun& run, const Context& context);

}  // namespace glassrank
