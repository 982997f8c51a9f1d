#pragma once
// What a training command reads, and the record of it that goes into the model.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/train/train_options.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

struct TrainData {
  Dataset train;                      // no rows where there are bins
  std::optional<BinnedDataset> bins;  // the training file was a cache of bins
  std::optional<Dataset> valid;
  std::optional<Forest> start;  // as wide as the training data
  Provenance files;             // names and digests of all three
};

// Validation files with fewer features are read again with the rest absent. Throws as load_dataset
// and load_model do.
TrainData load_train_data(const TrainOptions& options, const Context& context);
// The same, but the training file may be a cache of bins, made with the parameters of options.
TrainData load_values_or_bins(const TrainOptions& options, const Context& context);

// Program, method, files, seed and every parameter: equal for equal runs.
Provenance run_provenance(const TrainData& data, const LambdamartParams& params,
                          const Context& context);

struct TrainedForest {
  const Forest& forest;
  std::span<const Forest> bags = {};  // whose mean it is; none without bags
};
// What is written: the forest, or what ILMART's trees add up to, with the weight of the training
// rows in each cell and errors over bags.
Model trained_model(const TrainedForest& trained, Provenance lines, const TrainOptions& options,
                    const TrainData& data, const Context& context);
// The forests of ILMART's bags; none without.
std::span<const Forest> bags_of(const LambdamartResult& result);

struct NamedValue {
  std::string name;  // "test ndcg@10"
  double value = 0;
};
// The metrics of --metric on data: "test ndcg@10" for the set "test".
std::vector<NamedValue> metric_values(std::string_view set, const Model& model, const Dataset& data,
                                      const TrainOptions& options, const Context& context);
// The same on the test file; nothing without one.
std::vector<NamedValue> test_values(const Model& model, const TrainOptions& options,
                                    const Context& context);

}  // namespace glassrank::cli
