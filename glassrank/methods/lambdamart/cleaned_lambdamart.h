#pragma once
// LambdaMART, or ILMART, on data that was cleaned first: a base model, what it cannot rank, the
// final model.
//
//   train_cleaned = clean (cleaners/cleaner.h, with LambdaMART itself as the base model)
//                 + train_on_cleaned (from scratch, on the rows left, in the same bins; with
//                   params.ilmart as ilmart.h says).
// The validation data is never cleaned. With clean.tune every cleaning of the grid gets a final
// model; the one with the best validation metric stays, of equal ones that with fewer documents
// dropped. Without a cleaner this is train_lambdamart.
// Cost: up to twice a training; with clean.tune one more per different set of documents.

#include <cstddef>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/lambdamart/lambdamart.h"

namespace glassrank {

// What check_clean asks of these parameters. Throws Error{kUsage} for metrics that do not exist.
CleanSetting clean_setting(const LambdamartParams& params, bool has_valid);

// The trainings of a run, each with checkpoints of its own: a base model that is complete is only
// replayed, and so are ILMART's main effects. Base and final have the same warm start.
struct CleanedRun {
  LambdamartRun base = {};
  LambdamartRun main = {};   // step 1 of ILMART
  LambdamartRun final = {};  // LambdaMART, or step 3 of ILMART
};

struct TunedCleaning {
  CleanParams params;
  std::size_t num_dropped = 0;
  std::size_t num_trees = 0;  // kept
  double metric = 0;          // on the validation data
};

struct CleanedResult {
  LambdamartResult result;
  Cleaning cleaning;
  std::vector<TunedCleaning> grid = {};  // with clean.tune
};

// `train` are the rows of data.train, or none where only their bins are known. params.clean has
// passed check_clean with the size of the base model. Throws what clean throws, and
// Error{kInterrupted} when stopped before the final training.
CleanedResult train_cleaned(const Dataset& train, const LambdamartData& data,
                            const LambdamartParams& params, const CleanedRun& run,
                            const Context& context);
// From the beginning. `valid` may be null.
CleanedResult train_cleaned(const Dataset& train, const Dataset* valid,
                            const LambdamartParams& params, const Context& context);

// The two steps.
Cleaning clean_for_lambdamart(const Dataset& train, const LambdamartData& data,
                              const LambdamartParams& params, const LambdamartRun& base,
                              const Context& context);
// In bags every bag has the stages, and run.main nothing to go on from.
// The stages of curr-sour grow one ensemble; its early stopping begins with the last of them.
// ILMART has its stages in step 1. run.base is not looked at.
LambdamartResult train_on_cleaned(const LambdamartData& data, const Cleaning& cleaning,
                                  const LambdamartParams& params, const CleanedRun& run,
                                  const Context& context);

}  // namespace glassrank
