#pragma once
// LambdaMART that leaves out some rows for its first rounds: what curr-sour asks for.
//
// The stages grow one ensemble: up to tree `end` of a stage its rows are left out as if they were
// not in the data (their queries have no such documents, so gradients differ: a sampler, which
// leaves the queries whole, is not the same); after the last stage every row is there, and only
// then may early stopping end the training. A stage in which no split is left hands over to the
// next one. Without stages this is train_lambdamart.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/lambdamart/lambdamart.h"

namespace glassrank {

LambdamartResult train_in_stages(const LambdamartData& data, std::span<const CleaningStage> stages,
                                 const LambdamartParams& params, const LambdamartRun& run,
                                 const Context& context);

// The base model of a cleaner: LambdaMART with these parameters but for what the task says.
BoostingResult train_base(const LambdamartData& data, LambdamartParams params, LambdamartRun run,
                          const BaseTask& task, const Context& context);

}  // namespace glassrank
