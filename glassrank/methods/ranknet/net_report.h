#pragma once
// What networks and linear models trained by gradients have in common as methods: the parameters of
// training and what there is to tell of it.

#include "glassrank/base/params.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/ranknet/net_training.h"

namespace glassrank {

// All but the objective.
void visit_net_training(ParamVisitor& visitor, NetTrainingParams& training);

// Everything but the model.
TrainResult network_result(const NetResult& result, const NetTrainingParams& training,
                           const TrainTask& task);

}  // namespace glassrank
