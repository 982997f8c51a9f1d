#pragma once
// What methods made of boosted trees share when they are trained as a Method: their data in bins,
// how a phase goes on from a checkpoint, and what there is to tell of a result.

#include <optional>

#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/method.h"

namespace glassrank {

// The data of the task in bins. Throws as prepare_lambdamart does.
LambdamartData boosted_data(const TrainTask& task, const LambdamartParams& params,
                            const Context& context);

// A run of one phase: it begins with what the checkpoints of the task have of it and saves there.
// The task outlives it.
LambdamartRun phase_run(const TrainTask& task, const TrainingPhase& phase);

// Everything a forest's training tells: trees, rounds, metrics, costs, the end in words.
TrainResult boosted_result(const LambdamartResult& result, const LambdamartParams& params,
                           const TrainTask& task);

// Says what will stop the training, if anything does.
void say_what_stops(const LambdamartParams& params, const TrainTask& task, const Context& context);

// Warns once a training if its sampler of negatives leaves trees so few rows for each leaf that
// they mostly learn noise: they then rank worse than trees on all rows (bench/results/choices.md).
void warn_of_few_rows(const LambdamartResult& result, const LambdamartParams& params,
                      const TrainTask& task, const Context& context);

// Warns if no tree has a split. Trees of one leaf are there where rounds differ by chance: in one
// of them a split might have been found.
void warn_without_splits(const LambdamartResult& result, const Context& context);

// Throws Error{kUsage} for parameters that do not go together.
void check_boosted(const LambdamartParams& params, const TrainSetting& setting);

}  // namespace glassrank
