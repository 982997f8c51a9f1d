#include "glassrank/methods/training/trained_model.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
#include "glassrank/base/error.h"
#include "glassrank/base/version.h"
#include "glassrank/data/check_shares.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/known_categories.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

// With the features of the training data; those that it does not have are in no tree.
Forest widened(const Forest& forest, const Schema& data) {
  const auto names = data.feature_names();
  return Forest({.trees = {forest.trees().begin(), forest.trees().end()},
                 .num_features = names.size(),
                 .feature_names = {names.begin(), names.end()},
                 .base_score = forest.base_score(),
                 .objective = forest.objective(),
                 .categories = data.category_names()});
}

// What the first machine calls its data: each may call its own rows otherwise, but all end with the
// same model.
std::string name_on_first(const std::string& name, const Context& context) {
  if (context.communicator->is_alone()) return name;
  return gather_texts(*context.communicator, std::span(&name, 1))[0][0];
}

// The rows of a machine that has none.
Dataset without_rows(const Schema& schema) {
  DatasetParts parts;
  parts.schema = schema;
  return Dataset(std::move(parts));
}

// Those that all machines have.
TrainingData with_features(const Schema& features, const TrainingData& data,
                           const Context& context) {
  return TrainingData(data.num_rows() == 0 ? without_rows(features)
                                           : with_categories_of(features, data.values(context)));
}

TrainingData with_columns_of(const NamedModel& start, const TrainingData& data,
                             const MatchRules& rules, const Context& context) {
  const WantedFeatures wanted = features_of(start.model);
  const ColumnMatch match = match_columns(wanted, data.table().schema, rules);
  tell(match, context);
  require_known_categories(wanted, data.table().schema, match, rules,
                           [&](std::uint32_t f) { return uses_feature(start.model, f); });
  if (is_as_wanted(data.table().schema, wanted, match)) return data;
  if (!data.has_values()) {
    fail(ErrorKind::kInput,
         "{}: a cache of bins cannot be put in the order of the features of {}; train from values",
         rules.file, start.name);
  }
  return TrainingData(
      take_columns(data.values(context), wanted, match, OtherColumns::kKeepBehind, context));
}

// Of what the model computes, not of how its file came to be.
std::string forest_digest(const Forest& forest) {
  return fmt::format("{:016x}", checksum(write_native({.body = forest, .provenance = {}})));
}

}  // namespace

TrainInputs make_inputs(const TrainingData& train, const std::string& name,
                        const Context& context) {
  const auto values = [&]() -> const Dataset& { return train.values(context); };
  const std::optional<Schema> features =
      check_shares(train.table(), "the training data", values, *context.communicator);
  const TrainingData data = features ? with_features(*features, train, context) : train;
  return {
      .data = data,
      .files = {{"train", name_on_first(name, context)}, {"train.digest", data.digest(context)}}};
}

Dataset fit_together(const TrainInputs& train, const Dataset& data, const MatchRules& rules,
                     std::string_view what, const Context& context) {
  const Schema& schema = train.data.table().schema;
  Dataset own = agree(context, [&] {
    if (data.num_rows() == 0 && !context.communicator->is_alone()) return without_rows(schema);
    return fit_to(features_of(schema, train.files.front().second), data, rules, context);
  });
  check_shares(own.table(), what, [&]() -> const Dataset& { return own; }, *context.communicator);
  return own;
}

void start_from(TrainInputs& inputs, const NamedModel& start, const MatchRules& rules,
                const Context& context) {
  const Forest forest = require_forest(start.model, "training that goes on");
  if (!context.communicator->is_alone()) {
    const Setting digest("a start model of digest", forest_digest(forest));
    require_alike(*context.communicator, std::span(&digest, 1));
  }
  inputs.data = with_columns_of(start, inputs.data, rules, context);
  inputs.start = widened(forest, inputs.data.table().schema);
  inputs.files.emplace_back("start_model", name_on_first(start.name, context));
  inputs.files.emplace_back("start_model.digest", forest_digest(*inputs.start));
}

void add_valid(TrainInputs& inputs, const NamedData& valid, const Context& context) {
  // Behind the two lines of the training data, whatever else there is.
  const Provenance lines = {{"valid", name_on_first(valid.name, context)},
                            {"valid.digest", dataset_digest(valid.data, context)}};
  inputs.files.insert(inputs.files.begin() + 2, lines.begin(), lines.end());
  inputs.data = inputs.data.with_valid(valid.data);
}

Provenance run_provenance(const Method& method, const Provenance& files, const Context& context) {
  Provenance lines = {{"program", fmt::format("glassrank {}", kVersion)},
                      {"method", method.name()}};
  lines.insert(lines.end(), files.begin(), files.end());
  lines.emplace_back("seed", fmt::format("{}", context.seed));
  for (const ParamInfo& info : list_params(method)) {
    lines.emplace_back(fmt::format("params.{}", info.name), info.value);
  }
  return lines;
}

Model with_provenance(const TrainResult& result, Provenance lines, MissingValue missing) {
  if (result.cleaning) lines.emplace_back("cleaning", result.cleaning->summary);
  if (result.is_interrupted) lines.emplace_back("interrupted", result.report.outcome);
  Model model{.body = result.model.body, .provenance = std::move(lines)};
  return missing == MissingValue::kZero ? missing_as_zero(model) : model;
}

void measure(const Model& model, const Method& method, const TrainingData& data,
             const Dataset* test, TrainReport& report, const Context& context) {
  const bool is_watched = report.num_trees.has_value();
  if (!is_watched && report.train.empty() && method.watch().train_metric) {
    report.train = watched_values(model, data.values(context), method.watch(), context);
  }
  if (!is_watched && report.valid.empty() && data.valid() != nullptr) {
    report.valid = watched_values(model, *data.valid(), method.watch(), context);
  }
  if (test != nullptr) report.test = watched_values(model, *test, method.watch(), context);
}

TrainedModel train_model(const Method& method, const TrainInputs& inputs,
                         const TrainOptions& options, const Context& context) {
  check_machines(method, context);
  return completed(method,
                   method.train({.data = inputs.data,
                                 .start = inputs.start ? &*inputs.start : nullptr,
                                 .log_every = options.log_every},
                                context),
                   inputs, options, context);
}

TrainedModel completed(const Method& method, TrainResult result, const TrainInputs& inputs,
                       const TrainOptions& options, const Context& context) {
  TrainedModel trained{.model = {},
                       .result = std::move(result),
                       .run = run_provenance(method, inputs.files, context)};
  TrainReport& report = trained.result.report;
  report.method = method.name();
  trained.model = with_provenance(trained.result, trained.run, options.missing);
  if (!trained.result.is_interrupted) {
    measure(trained.model, method, inputs.data, options.test, report, context);
  }
  return trained;
}

TrainedModel train_for_length(const Method& method, const TrainingLength& length,
                              const TrainInputs& inputs, const TrainOptions& options,
                              const Context& context) {
  const std::unique_ptr<Method> fixed = method.clone();
  fixed->fix_length(length);
  TrainedModel trained = train_model(*fixed, inputs, options, context);
  if (trained.result.is_interrupted) context.check_stop_anywhere();
  return trained;
}

}  // namespace glassrank
