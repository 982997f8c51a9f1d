#include "cli/train/train_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

void check_inputs(const TrainFiles& files) {
  int num_pipes = 0;
  for (const std::string& data : {files.train, files.valid, files.test}) {
    num_pipes += data == "-" ? 1 : 0;
  }
  if (num_pipes > 1) fail(ErrorKind::kUsage, "standard input (-) can be read only once");
  // Read last: a misspelt name must not cost the training.
  if (files.test.empty() || files.test == "-") return;
  for (const std::string& path : matching_files(files.test)) {
    if (std::filesystem::exists(path)) continue;
    fail(ErrorKind::kIo, "cannot open {}: there is no such file", path);
  }
}

void check_outputs(const TrainOptions& options) {
  const TrainFiles& files = options.files;
  if (options.plan.has_search() && !files.out.empty() && !is_regular_or_new(files.out)) {
    fail(ErrorKind::kUsage, "--search writes files beside --out; {} is no place for that",
         files.out);
  }
  for (const std::string& path : {files.out, files.curve, files.record, files.dropped}) {
    if (!path.empty()) refuse_unwritable(path);
  }
  for (const NamedFile& file : options.files_beside()) refuse_unwritable(file.path);
}

}  // namespace

TrainOptions::TrainOptions() : method(make_pipeline(method_name)) {}

void TrainOptions::choose_method(const std::string& name) {
  method = make_pipeline(name);
  method_name = name;
}

std::string TrainOptions::present_name(const std::string& name) const {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kRenamed = {{
      {"curve", "learning_curve"},
      {"outer_bags", "bags"},
  }};
  // METHOD.PARAM was the name of some methods' parameters.
  const std::size_t dot = name.find('.');
  const std::string group = dot == std::string::npos ? "" : name.substr(0, dot);
  const bool has_method =
      std::ranges::find(method_table(), group, &MethodInfo::name) != method_table().end();
  if (has_method && group != method_name) {
    fail(ErrorKind::kUsage, "{} is for --method {}", name, group);
  }
  const std::string plain = has_method ? name.substr(dot + 1) : name;
  if (has_method && plain == "max_leaves") return "num_leaves";
  const auto renamed = std::ranges::find(kRenamed, plain, &decltype(kRenamed)::value_type::first);
  if (renamed != kRenamed.end()) return std::string(renamed->second);
  return has_method ? plain : "";
}

void TrainOptions::visit(ParamVisitor& visitor) {
  visitor.section("data");
  visitor.field("method", method_name, "what is trained (glassrank list methods)",
                names_in(method_table()));
  visitor.field("train", files.train, "training data",
                {.required = true, .file = FileUse::kInput, .takes_pattern = true});
  visitor.field("valid", files.valid, "validation data, used for early stopping",
                {.file = FileUse::kInput, .takes_pattern = true});
  visitor.field("test", files.test, "test data, evaluated at the end",
                {.file = FileUse::kInput, .takes_pattern = true});
  visitor.section("output");
  visitor.field("out", files.out, "model file to write; needed unless there are folds or a search",
                {.file = FileUse::kOutput});
  visitor.field("model_format", files.model_format, "format of the model file", written_formats());
  visitor.section("advanced");
  visitor.field("for_text", files.for_text,
                "for the formats of LightGBM and XGBoost: number columns as these programs do when "
                "they read LETOR text, from 0");
  visitor.section("output");
  visitor.field("learning_curve", files.curve, "write the metrics of every round to this TSV file",
                {.file = FileUse::kOutput});
  visitor.section("advanced");
  visitor.field("record", files.record,
                "write parameters and the metrics, rows and time of every round to this JSON file",
                {.file = FileUse::kOutput});
  visitor.field("dropped", files.dropped,
                "write the documents that --clean dropped to this TSV file",
                {.file = FileUse::kOutput});
  visitor.field("start_model", files.start_model,
                "go on from this model, in any format: num_trees are added to its trees",
                {.file = FileUse::kInput});
  visitor.section("training");
  visitor.field(
      "resume", plan.resumes,
      "go on from OUT.checkpoint if it exists; the model is that of an uninterrupted run");
  visitor.field(
      "folds", plan.num_folds,
      "cross-validate by query with this many folds; with --out, train on all data afterwards",
      kNotNegative);
  visitor.group("search", plan.search);
  visitor.section("advanced");
  visitor.field("from_lightgbm", from_lightgbm,
                "take parameters from a LightGBM config; --config and options override it",
                {.file = FileUse::kInput});
  visitor.field(
      "force", force,
      "train even if the LightGBM config has options that change the model and do not exist here");
  visitor.field("checkpoint_every", checkpoint_every,
                "rounds between checkpoints in OUT.checkpoint; 0 writes one only when stopped",
                kNotNegative);
  visitor.field(
      "log_every", log_every,
      "log every N rounds (rankgam: epochs) when standard error is not a terminal; 0 never logs",
      kNotNegative);
  method->visit(visitor);
  visitor.section("advanced");
  files.read.visit_matching(visitor);
  visitor.group("read", files.read);
}

bool TrainOptions::keeps_checkpoints() const {
  return plan.num_folds == 0 && !plan.has_search() && is_regular_or_new(files.out);
}

void TrainOptions::settle() {
  method->settle({.has_valid = !files.valid.empty() || plan.num_folds > 0,
                  .has_start = !files.start_model.empty(),
                  .resumes = plan.resumes});
}

void TrainOptions::check(const Context& context) const {
  agree(context, [&] {
    check_training(*method, files, plan);
    check_inputs(files);
    if (context.communicator->is_first()) check_outputs(*this);
  });
}

std::vector<NamedFile> TrainOptions::files_beside() const {
  if (files.out.empty()) return {};
  std::vector<NamedFile> beside;
  if (plan.has_search()) {
    beside.push_back({"the parameters beside --out", search_config_file(files.out)});
    beside.push_back({"the trials beside --out", search_trials_file(files.out)});
  } else if (keeps_checkpoints()) {
    std::vector<std::string> paths = FileCheckpoints::paths_of(files.out);
    // Nothing is there yet, but a phase may want the name.
    for (const std::string& path : {files.curve, files.record, files.dropped}) {
      const bool is_known = std::ranges::find(paths, path) != paths.end();
      if (!is_known && FileCheckpoints::is_path_of(files.out, path)) paths.push_back(path);
    }
    for (std::string& path : paths) {
      beside.push_back({"the checkpoint beside --out", std::move(path)});
    }
  }
  return beside;
}

}  // namespace glassrank::cli
