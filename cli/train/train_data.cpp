#include "cli/train/train_data.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/version.h"
#include "glassrank/base/error.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {
namespace {

using Names = std::span<const std::string>;

Forest widened(const Forest& forest, Names names) {
  if (forest.num_features() >= names.size()) return forest;
  return Forest({.trees = {forest.trees().begin(), forest.trees().end()},
                 .num_features = names.size(),
                 .feature_names = {names.begin(), names.end()},
                 .base_score = forest.base_score(),
                 .objective = forest.objective()});
}

// A sparse file ends at the highest feature it names: fewer than in training are padded.
Dataset load_valid(const TrainOptions& options, std::size_t num_features, const Context& context) {
  Dataset valid = load_dataset(options.valid, options.read, context);
  if (valid.num_features() >= num_features || options.valid == "-") return valid;
  context.info(fmt::format("{} has {} features, {} has {}: the rest count as absent", options.valid,
                           valid.num_features(), options.train, num_features));
  ReadParams padded = options.read;
  padded.num_features = static_cast<int>(num_features);
  return load_dataset(options.valid, padded, context);
}

// Of what the model computes, not of how its file came to be.
std::string forest_digest(const Forest& forest) {
  return fmt::format("{:016x}", checksum(write_native({.body = forest, .provenance = {}})));
}

// What goes with the training data, whose names and digest are known.
void load_others(TrainData& data, Names names, std::string digest, const TrainOptions& options,
                 const Context& context) {
  data.files = {{"train", options.train}, {"train.digest", std::move(digest)}};
  if (!options.valid.empty()) {
    data.valid = load_valid(options, names.size(), context);
    data.files.emplace_back("valid", options.valid);
    data.files.emplace_back("valid.digest", dataset_digest(*data.valid, context));
  }
  if (!options.start_model.empty()) {
    data.start = widened(require_forest(load_model(options.start_model, context),
                                        "--start-model " + options.start_model),
                         names);
    data.files.emplace_back("start_model", options.start_model);
    data.files.emplace_back("start_model.digest", forest_digest(*data.start));
  }
}

}  // namespace

TrainData load_train_data(const TrainOptions& options, const Context& context) {
  TrainData data{.train = load_dataset(options.train, options.read, context)};
  load_others(data, data.train.feature_names(), dataset_digest(data.train, context), options,
              context);
  return data;
}

TrainData load_values_or_bins(const TrainOptions& options, const Context& context) {
  if (data_format(options.train, options.read) != DataFormat::kCache ||
      !is_binned_cache_file(options.train)) {
    return load_train_data(options, context);
  }
  const BinnedCache cache = open_bins(options.train, context);
  check_bin_params(cache, options.params.bins, options.train);
  TrainData data{.train = {}, .bins = cache.data};
  load_others(data, data.bins->feature_names(), dataset_digest(*data.bins, context), options,
              context);
  return data;
}

Provenance run_provenance(const TrainData& data, const LambdamartParams& params,
                          const Context& context) {
  Provenance lines = {{"program", fmt::format("glassrank {}", kVersion)},
                      {"method", params.ilmart ? "ilmart" : "lambdamart"}};
  lines.insert(lines.end(), data.files.begin(), data.files.end());
  lines.emplace_back("seed", fmt::format("{}", context.seed));
  for (const ParamInfo& info : list_params(params)) {
    lines.emplace_back(fmt::format("params.{}", info.name), info.value);
  }
  return lines;
}

Model trained_model(const TrainedForest& trained, Provenance lines, const TrainOptions& options,
                    const TrainData& data, const Context& context) {
  if (!options.params.ilmart || !options.tables) {
    return {.body = trained.forest, .provenance = std::move(lines)};
  }
  try {
    const Gam tables = distil(trained.forest);
    Gam gam = data.bins ? with_weights(tables, *data.bins, context.finishing())
                        : with_weights(tables, data.train, context.finishing());
    if (options.centre) gam = centred(gam);
    gam = with_bag_errors(gam, trained.bags);
    return {.body = std::move(gam), .provenance = std::move(lines)};
  } catch (const Error& error) {  // tables beyond every limit: the training is not to be lost
    context.warn(fmt::format("{}; written as trees", error.what()));
    return {.body = trained.forest, .provenance = std::move(lines)};
  }
}

std::span<const Forest> bags_of(const LambdamartResult& result) {
  if (!result.ilmart || !result.ilmart->bags) return {};
  return result.ilmart->bags->forests;
}

std::vector<NamedValue> metric_values(std::string_view set, const Model& model, const Dataset& data,
                                      const TrainOptions& options, const Context& context) {
  std::vector<NamedValue> values;
  for (const MetricValues& metric :
       evaluate_model(*make_scorer(model), data, parse_metrics(options.params.metric), context)
           .metrics) {
    values.push_back({fmt::format("{} {}", set, to_text(metric.metric)), metric.mean});
  }
  return values;
}

std::vector<NamedValue> test_values(const Model& model, const TrainOptions& options,
                                    const Context& context) {
  if (options.test.empty()) return {};
  const Dataset test = load_rows_for(model, options.test, options.read, context);
  return metric_values("test", model, test, options, context);
}

}  // namespace glassrank::cli
