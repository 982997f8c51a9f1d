#pragma once
// What `glassrank train` says about one training run.

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/train/train_data.h"
#include "cli/train/train_options.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"

namespace glassrank::cli {

struct TrainedModel {
  const CleanedResult& cleaned;
  const BinnedDataset& train;
  const std::vector<NamedValue>& test;
};

void print_json(const TrainOptions& options, const TrainedModel& trained, Output& output);
void print_text(const TrainOptions& options, const TrainedModel& trained, Output& output);

// "stopped early after 120 rounds".
std::string end_text(const LambdamartResult& result);
// What a stopped run keeps: "40 trees", "40 trees of 3 of 8 bags".
std::string kept_text(const LambdamartResult& result, const TrainOptions& options);
// Round and metrics, tab-separated; with bags the bag first.
std::string curve_text(const LambdamartResult& result);

}  // namespace glassrank::cli
