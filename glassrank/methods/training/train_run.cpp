#include "glassrank/methods/training/train_run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/base/version.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/data/shard.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/methods/training/run_record.h"
#include "glassrank/methods/training/search_space.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/model_categories.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

// How files with the columns of the training data are read: what is a category there is one here.
ReadParams read_like(const Schema& train, const ReadParams& read) {
  ReadParams like = read;
  for (std::size_t f = 0; f < train.num_features(); ++f) {
    if (train.is_category(f)) like.categorical_if_there.push_back(train.feature_names()[f]);
  }
  return like;
}

// Validation or test data with the features of the training data.
Dataset load_like(const TrainInputs& train, const std::string& path, const TrainFiles& files,
                  const Context& context) {
  const ReadParams read = read_like(train.data.table().schema, files.read);
  return fit_together(train, load_shared(path, read, context), match_rules(path, files.read), path,
                      context);
}

// A test file of other features must not cost the training. Its rows are read at the end.
void check_test(const TrainFiles& files, const Schema& train, const Context& context) {
  if (files.test.empty() || files.test == "-") return;
  Context silent = context;  // reading the rows gives the notices
  silent.log_sink = nullptr;
  const std::unique_ptr<RowSource> test =
      open_shared(files.test, read_like(train, files.read), silent);
  match_columns(features_of(train, files.train), test->shared_table()->schema,
                match_rules(files.test, files.read));
}

// Beside the model, of all machines.
std::vector<TextFile> side_texts(const TrainResult& result, const TrainFiles& files,
                                 const Provenance& run, const TrainInputs& inputs,
                                 const Context& context) {
  std::vector<TextFile> texts;
  if (!files.curve.empty()) texts.push_back({files.curve, curve_tsv(result.curve)});
  if (!files.record.empty()) {
    texts.push_back({files.record, json_text(run_record(run, result))});
  }
  if (!files.dropped.empty() && result.cleaning) {
    texts.push_back({files.dropped, dropped_tsv(inputs.data, *result.cleaning, context)});
  }
  return texts;
}

// What the first machine alone does, and all wait for.
template <typename Work>
void on_first(const Context& context, Work&& work) {
  agree(context, [&] {
    if (context.communicator->is_first()) work();
  });
}

}  // namespace

bool TrainFiles::is_given(std::string_view name) const {
  return std::ranges::find(given, name) != given.end();
}

TrainInputs load_inputs(const TrainFiles& files, const Method& method, bool as_values,
                        const Context& context) {
  check_machines(method, context);
  NamedModel start{.name = files.start_model, .model = {}};
  ReadParams read = files.read;
  if (!files.start_model.empty()) {
    start.model = agree(context, [&] { return load_model(files.start_model, context); });
    read = read_params_for({&start.model, 1}, read);
    // New trees must split them as categories, also where only their codes are known.
    const std::vector<bool> is_category = category_features_of(start.model);
    const auto names = feature_names_of(start.model);
    for (std::size_t f = 0; f < names.size(); ++f) {
      if (is_category[f]) read.categorical_if_there.push_back(names[f]);
    }
  }
  const TrainingData data(
      {.path = files.train,
       .read = read,
       .bins = method.bin_params(),
       .needs_values = as_values || method.traits().needs_values || !files.start_model.empty()},
      context);
  if (files.read.missing == MissingValue::kZero && !data.has_values()) {
    fail(ErrorKind::kUsage, "{}: a cache of bins keeps its missing values; train from values",
         files.train);
  }
  TrainInputs inputs = make_inputs(data, files.train, context);
  if (!files.start_model.empty()) {
    start_from(inputs, start, match_rules(files.train, files.read), context);
  }
  check_given(files, inputs.data.table().schema);
  check_test(files, inputs.data.table().schema, context);
  if (!files.valid.empty()) {
    add_valid(inputs, {.name = files.valid, .data = load_like(inputs, files.valid, files, context)},
              context);
  }
  return inputs;
}

namespace {

void save_own(const Model& model, const TrainFiles& files, const Context& context) {
  const bool is_theirs =
      files.model_format.starts_with("lightgbm") || files.model_format.starts_with("xgboost");
  save_model(files.out,
             files.for_text && is_theirs ? for_their_text(model, files.model_format) : model,
             files.model_format, context);
}

void save(const Model& model, const TrainFiles& files, const Context& context) {
  on_first(context, [&] { save_own(model, files, context); });
}

// The test file is read last.
void measure(const Model& model, const TrainFiles& files, const Method& method,
             const TrainInputs& inputs, TrainReport& report, const Context& context) {
  std::optional<Dataset> test;
  if (!files.test.empty()) {
    test = load_like(inputs, files.test, files, context);
  }
  measure(model, method, inputs.data, test ? &*test : nullptr, report, context);
}

}  // namespace

namespace {

// What went from this machine to others while the trees grew.
std::string traffic_text(const Traffic& traffic, const TrainReport& report) {
  const double trees = static_cast<double>(std::max<std::size_t>(report.num_rounds.value_or(1), 1));
  return fmt::format("each machine sent {:.1f} kB a tree in {:.0f} exchanges",
                     static_cast<double>(traffic.bytes) / trees / 1e3,
                     static_cast<double>(traffic.calls) / trees);
}

}  // namespace

TrainReport train_to_file(const Method& method, const TrainFiles& files, const RunParams& params,
                          const Context& caller) {
  Context context = caller;
  std::shared_ptr<const CountingCommunicator> counting;
  if (!caller.communicator->is_alone()) {
    counting = std::make_shared<const CountingCommunicator>(caller.communicator);
    context.communicator = counting;
  }
  const TrainInputs inputs = load_inputs(files, method, false, context);
  const Provenance run = run_provenance(method, inputs.files, context);
  FileCheckpoints checkpoints({.out = files.out,
                               .run = run,
                               .every = params.checkpoint_every,
                               .resumes = params.resumes,
                               .is_kept = params.keeps_checkpoints},
                              context);
  SharedCheckpoints shared(checkpoints, context);
  TrainResult result;
  const Traffic before = counting ? counting->traffic() : Traffic{};
  try {
    result = method.train({.data = inputs.data,
                           .start = inputs.start ? &*inputs.start : nullptr,
                           .checkpoints = &shared,
                           .log_every = params.log_every},
                          context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    if (!any_machine(*context.communicator, checkpoints.has_saved())) throw;
    fail(ErrorKind::kInterrupted, "{}; --resume goes on", error.message());
  }
  if (counting) {
    const Traffic all = counting->traffic();
    context.info(traffic_text(
        {.calls = all.calls - before.calls, .bytes = all.bytes - before.bytes}, result.report));
  }
  const Model model = with_provenance(result, run, files.read.missing);
  save(model, files, context.finishing());
  // Hours of work are not lost because there is no room for a table beside the model.
  const std::vector<TextFile> texts = side_texts(result, files, run, inputs, context.finishing());
  on_first(context, [&] { write_text_files(texts); });
  if (result.is_interrupted) {
    const bool has_saved = any_machine(*context.communicator, checkpoints.has_saved());
    fail(ErrorKind::kInterrupted, "{}; the best model so far, {}, is {}{}", result.report.outcome,
         result.report.kept, files.out, has_saved ? "; --resume goes on" : "");
  }
  on_first(context, [&] { checkpoints.remove_all(); });
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
  const TrainedModel trained =
      train_for_length(method, length, inputs, {.missing = files.read.missing}, context);
  save(trained.model, files, context);
  TrainReport report = trained.result.report;
  report.model = files.out;
  measure(trained.model, files, method, inputs, report, context);
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
  TrainFiles named = files;
  for (std::string& name : searched_params(search.ranges, method)) {
    named.given.push_back(std::move(name));
  }
  const TrainInputs inputs = load_inputs(named, method, true, context);
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
    const Model model = with_provenance(
        report.found.best, run_provenance(*chosen, inputs.files, context), files.read.missing);
    save(model, files, context);
    TrainReport measured = report.found.best.report;
    measure(model, files, *chosen, inputs, measured, context);
    report.test = measured.test;
  }
  // After the model, which a full disk here does not cost.
  on_first(context, [&] {
    write_text_files({{{report.config, config_text(report.found, *chosen)},
                       {report.trials, trials_tsv(report.found)}}});
  });
  return report;
}

std::string dropped_tsv(const TrainingData& data, const Cleaning& cleaning,
                        const Context& context) {
  const Shard shard = shard_of(data.queries(), *context.communicator);
  const std::vector<std::uint32_t> query_of_row = data.queries().query_of_rows();
  std::string own;
  for (const DroppedRow& dropped : cleaning.dropped) {
    own += fmt::format(
        "{}\t{}\t{}\t{}\t{}\n", table_cell(data.queries().id(query_of_row[dropped.row])),
        table_cell(document_name(data.table().document_ids, data.queries(), dropped.row)),
        shard.first_row + dropped.row, data.grades()[dropped.row], dropped.evidence);
  }
  const std::vector<char> all = gather_values<char>(*context.communicator, own);
  return "query\tdocument\trow\tgrade\tevidence\n" + std::string(all.begin(), all.end());
}

}  // namespace glassrank
