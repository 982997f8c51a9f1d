#pragma once
// The things `glassrank train` does: one model, cross-validation, a search for parameters.

#include "cli/command.h"
#include "cli/train/train_data.h"
#include "cli/train/train_options.h"

namespace glassrank::cli {

// With checkpoints; ends in Error{kInterrupted} when stopped, with model and checkpoint written.
void train_model(const TrainOptions& options, const Context& context, Output& output);
// Of ebm and rankgam, which have no checkpoints; ends in Error{kInterrupted} when stopped, with the
// best model so far written.
void train_glass(const TrainOptions& options, const Context& context, Output& output);
// --folds.
void train_folds(const TrainOptions& options, const Context& context, Output& output);
// --search, on the validation file or folds.
void train_search(const TrainOptions& options, const Context& context, Output& output);

// As cross-validation counts trees.
struct TreeCounts {
  std::size_t all = 0;
  std::size_t main = 0;  // ILMART's of main effects
};
struct ModelOnAll {
  std::size_t num_trees = 0;  // of all bags
  std::vector<NamedValue> test;
};
// After cross-validation chose them: trains on all data without validation and writes --out.
ModelOnAll train_on_all(const TrainOptions& options, const TrainData& data, LambdamartParams params,
                        const TreeCounts& trees, const Context& context);

}  // namespace glassrank::cli
