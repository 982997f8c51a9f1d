#include "glassrank/methods/training/train_run.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/base/version.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/methods/training/run_record.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

using Names = std::span<const std::string>;

// With the features of the training data; those that it does not have are in no tree.
Forest widened(const Forest& forest, Names names) {
  return Forest({.trees = {forest.trees().begin(), forest.trees().end()},
                 .num_features = names.size(),
                 .feature_names = {names.begin(), names.end()},
                 .base_score = forest.base_score(),
                 .objective = forest.objective()});
}

// Training that goes on: the features of the start model come first, in its order, and the data's
// others behind them.
TrainingData with_columns_of(const Model& start, TrainingData data, const TrainFiles& files,
                             const Context& context) {
  const WantedFeatures wanted = features_of(start);
  const ColumnMatch match =
      match_columns(wanted, data.table().schema, match_rules(files.train, files.read));
  tell(match, context);
  if (match.is_in_place()) return data;
  if (!data.has_values()) {
    fail(ErrorKind::kInput,
         "{}: a cache of bins cannot be put in the order of the features of {}; train from values",
         files.train, files.start_model);
  }
  return TrainingData(
      take_columns(data.values(context), wanted, match, OtherColumns::kKeepBehind, context));
}

// Validation or test data with the features of the training data.
Dataset load_like(const Schema& train, const std::string& path, const TrainFiles& files,
                  const Context& context) {
  return fit_to(features_of(train, files.train), load_dataset(path, files.read, context),
                match_rules(path, files.read), context);
}

// A test file of other features must not cost the training. Its rows are read at the end.
void check_test(const TrainFiles& files, const Schema& train, const Context& context) {
  if (files.test.empty() || files.test == "-") return;
  Context silent = context;  // reading the rows gives the notices
  silent.log_sink = nullptr;
  const std::unique_ptr<RowSource> test = open_row_source(files.test, files.read, silent);
  match_columns(features_of(train, files.train), test->shared_table()->schema,
                match_rules(files.test, files.read));
}

// Of what the model computes, not of how its file came to be.
std::string forest_digest(const Forest& forest) {
  return fmt::format("{:016x}", checksum(write_native({.body = forest, .provenance = {}})));
}

void write_files(const TrainResult& result, const TrainFiles& files, const Provenance& run,
                 const TrainInputs& inputs) {
  if (!files.curve.empty()) write_text_file(files.curve, curve_tsv(result.curve));
  if (!files.record.empty()) {
    write_text_file(files.record, json_text(run_record(run, result)));
  }
  if (!files.dropped.empty() && result.cleaning) {
    write_text_file(files.dropped, dropped_tsv(inputs.data, *result.cleaning));
  }
}

}  // namespace

TrainInputs load_inputs(const TrainFiles& files, const Method& method, bool as_values,
                        const Context& context) {
  TrainInputs inputs{
      .data = TrainingData(
          {.path = files.train,
           .read = files.read,
           .bins = method.bin_params(),
           .needs_values = as_values || method.traits().needs_values || !files.start_model.empty()},
          context)};
  if (files.read.missing == MissingValue::kZero && !inputs.data.has_values()) {
    fail(ErrorKind::kUsage, "{}: a cache of bins keeps its missing values; train from values",
         files.train);
  }
  inputs.files = {{"train", files.train}, {"train.digest", inputs.data.digest(context)}};
  std::optional<Model> start;
  if (!files.start_model.empty()) {
    start = load_model(files.start_model, context);
    require_forest(*start, "training that goes on");
    inputs.data = with_columns_of(*start, inputs.data, files, context);
  }
  const RowTable& table = inputs.data.table();
  check_test(files, table.schema, context);
  if (!files.valid.empty()) {
    Dataset valid = load_like(table.schema, files.valid, files, context);
    inputs.files.emplace_back("valid", files.valid);
    inputs.files.emplace_back("valid.digest", dataset_digest(valid, context));
    inputs.data = inputs.data.with_valid(std::move(valid));
  }
  if (start) {
    inputs.start = widened(require_forest(*start, "training that goes on"), table.feature_names());
    inputs.files.emplace_back("start_model", files.start_model);
    inputs.files.emplace_back("start_model.digest", forest_digest(*inputs.start));
  }
  return inputs;
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

namespace {

// The model with how it came to be.
Model with_provenance(const TrainResult& result, Provenance lines, const ReadParams& read) {
  if (result.cleaning) lines.emplace_back("cleaning", result.cleaning->summary);
  if (result.is_interrupted) lines.emplace_back("interrupted", result.report.end);
  Model model{.body = result.model.body, .provenance = std::move(lines)};
  // It has seen none: what it does with them is to be the same.
  return read.missing == MissingValue::kZero ? missing_as_zero(model) : model;
}

void save(const Model& model, const TrainFiles& files, const Context& context) {
  const bool is_theirs =
      files.model_format.starts_with("lightgbm") || files.model_format.starts_with("xgboost");
  save_model(files.out,
             files.for_text && is_theirs ? for_their_text(model, files.model_format) : model,
             files.model_format, context);
}

// Metrics that the training has not watched already.
void measure(const Model& model, const TrainFiles& files, const Method& method,
             const TrainInputs& inputs, TrainReport& report, const Context& context) {
  const bool is_watched = report.num_trees.has_value();
  if (!is_watched && report.train.empty() && method.watch().train_metric) {
    report.train = watched_values(model, inputs.data.values(context), method.watch(), context);
  }
  if (!is_watched && report.valid.empty() && inputs.data.valid() != nullptr) {
    report.valid = watched_values(model, *inputs.data.valid(), method.watch(), context);
  }
  if (!files.test.empty()) {
    const Dataset test = load_like(inputs.data.table().schema, files.test, files, context);
    report.test = watched_values(model, test, method.watch(), context);
  }
}

}  // namespace

TrainReport train_to_file(const Method& method, const TrainFiles& files, const RunParams& params,
                          const Context& context) {
  const TrainInputs inputs = load_inputs(files, method, false, context);
  const Provenance run = run_provenance(method, inputs.files, context);
  FileCheckpoints checkpoints({.out = files.out,
                               .run = run,
                               .every = params.checkpoint_every,
                               .resumes = params.resumes,
                               .is_kept = params.keeps_checkpoints},
                              context);
  TrainResult result;
  try {
    result = method.train({.data = inputs.data,
                           .start = inputs.start ? &*inputs.start : nullptr,
                           .checkpoints = &checkpoints,
                           .log_every = params.log_every},
                          context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted || !checkpoints.has_saved()) throw;
    fail(ErrorKind::kInterrupted, "{}; --resume goes on", error.message());
  }
  const Model model = with_provenance(result, run, files.read);
  save(model, files, context.finishing());
  write_files(result, files, run, inputs);
  if (result.is_interrupted) {
    fail(ErrorKind::kInterrupted, "{}; the best model so far, {}, is {}{}", result.report.end,
         result.report.kept, files.out, checkpoints.has_saved() ? "; --resume goes on" : "");
  }
  checkpoints.remove_all();
  TrainReport report = std::move(result.report);
  report.method = method.name();
  report.model = files.out;
  measure(model, files, method, inputs, report, context);
  return report;
}

namespace {

// After folds chose how long: without validation data.
TrainReport train_on_all(const Method& method, const TrainingLength& length,
                         const TrainFiles& files, const TrainInputs& inputs,
                         const Context& context) {
  const std::unique_ptr<Method> fixed = method.clone();
  fixed->fix_length(length);
  TrainResult result = fixed->train({.data = inputs.data}, context);
  if (result.is_interrupted) context.check_stop();
  const Model model =
      with_provenance(result, run_provenance(*fixed, inputs.files, context), files.read);
  save(model, files, context);
  TrainReport report = std::move(result.report);
  report.method = method.name();
  report.model = files.out;
  measure(model, files, *fixed, inputs, report, context);
  return report;
}

}  // namespace

FoldsReport train_folds(const Method& method, const TrainFiles& files, int num_folds,
                        const Context& context) {
  const TrainInputs inputs = load_inputs(files, method, true, context);
  FoldsReport report{.found =
                         cross_validate(inputs.data.values(context), method, num_folds, context)};
  if (!files.out.empty()) {
    report.model = train_on_all(method, report.found.length, files, inputs, context);
  }
  return report;
}

std::string search_config_file(const std::string& out) { return out + ".toml"; }
std::string search_trials_file(const std::string& out) { return out + ".trials.tsv"; }

namespace {

std::vector<SearchSplit> splits_of(const TrainInputs& inputs, int num_folds,
                                   const Context& context) {
  const Dataset& train = inputs.data.values(context);
  if (num_folds > 0) return fold_splits(train, num_folds, context);
  return {{.train = train, .valid = *inputs.data.valid()}};
}

// It makes `glassrank train` write the very model that stands beside it.
std::string config_text(const SearchResult& found, const Method& method) {
  const Trial& best = found.trials.front();
  return fmt::format("# Trial {} of {}: {} {}\nmethod = \"{}\"\n{}", best.number,
                     found.trials.size(), found.metric, best.value, method.name(),
                     toml_text(list_params(method)));
}

}  // namespace

SearchReport train_search(const Method& method, const TrainFiles& files, int num_folds,
                          const SearchParams& search, const Context& context) {
  const TrainInputs inputs = load_inputs(files, method, true, context);
  SearchReport report{
      .found = random_search(splits_of(inputs, num_folds, context), method, search, context)};
  if (files.out.empty()) return report;
  const Trial& best = report.found.trials.front();
  report.model = files.out;
  report.config = search_config_file(files.out);
  report.trials = search_trials_file(files.out);
  const std::unique_ptr<Method> chosen = best.method->clone();
  if (num_folds > 0) {
    report.test = train_on_all(*best.method, best.length, files, inputs, context).test;
    chosen->fix_length(best.length);
  } else {
    const Model model = with_provenance(report.found.best,
                                        run_provenance(*chosen, inputs.files, context), files.read);
    save(model, files, context);
    TrainReport measured = report.found.best.report;
    measure(model, files, *chosen, inputs, measured, context);
    report.test = measured.test;
  }
  write_text_file(report.config, config_text(report.found, *chosen));
  write_text_file(report.trials, trials_tsv(report.found));
  return report;
}

std::string dropped_tsv(const TrainingData& data, const Cleaning& cleaning) {
  const std::vector<std::uint32_t> query_of_row = data.queries().query_of_rows();
  std::string text = "query\tdocument\trow\tgrade\tevidence\n";
  for (const DroppedRow& dropped : cleaning.dropped) {
    text += fmt::format(
        "{}\t{}\t{}\t{}\t{}\n", table_cell(data.queries().id(query_of_row[dropped.row])),
        table_cell(document_name(data.table().document_ids, data.queries(), dropped.row)),
        dropped.row, data.grades()[dropped.row], dropped.evidence);
  }
  return text;
}

}  // namespace glassrank
