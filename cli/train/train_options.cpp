#include "cli/train/train_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/output_file.h"
#include "glassrank/base/error.h"
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
  if (!files.test.empty() && files.test != "-" && !std::filesystem::exists(files.test)) {
    fail(ErrorKind::kIo, "cannot open {}: there is no such file", files.test);
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
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRenamed = {{
      {"curve", "learning_curve"},
      {"outer_bags", "bags"},
      {"ebm.max_leaves", "num_leaves"},
      {"ebm.outer_bags", "bags"},
  }};
  const std::size_t dot = name.find('.');
  const std::string group = name.substr(0, dot);
  if (dot != std::string::npos && (group == "ebm" || group == "rankgam") && group != method_name) {
    fail(ErrorKind::kUsage, "{} is for --method {}", name, group);
  }
  const auto renamed = std::ranges::find(kRenamed, name, &decltype(kRenamed)::value_type::first);
  if (renamed != kRenamed.end()) return std::string(renamed->second);
  return dot != std::string::npos && group == method_name ? name.substr(dot + 1) : "";
}

void TrainOptions::visit(ParamVisitor& visitor) {
  visitor.section("data");
  visitor.field("method", method_name, "what is trained (glassrank list methods)",
                names_in(method_table()));
  visitor.field("train", files.train, "training data", {.required = true, .file = FileUse::kInput});
  visitor.field("valid", files.valid, "validation data, used for early stopping",
                {.file = FileUse::kInput});
  visitor.field("test", files.test, "test data, evaluated at the end", {.file = FileUse::kInput});
  visitor.section("output");
  visitor.field("out", files.out, "model file to write; needed unless there are folds or a search",
                {.file = FileUse::kOutput});
  visitor.field("model_format", files.model_format, "format of the model file", written_formats());
  visitor.field("for_text", files.for_text,
                "of LightGBM's and XGBoost's formats: columns as these programs count them in "
                "LETOR text that they read themselves, from 0");
  visitor.field("learning_curve", files.curve, "write the metrics of every round to this TSV file",
                {.file = FileUse::kOutput});
  visitor.field("record", files.record,
                "write parameters and the metrics, rows and time of every round to this JSON file",
                {.file = FileUse::kOutput});
  visitor.field("dropped", files.dropped,
                "write the documents that --clean dropped to this TSV file",
                {.file = FileUse::kOutput});
  visitor.section("training");
  visitor.field("start_model", files.start_model,
                "go on from this model, in any format: num_trees are added to its trees",
                {.file = FileUse::kInput});
  visitor.field(
      "resume", plan.resumes,
      "go on from OUT.checkpoint, if it is there, to the model an uninterrupted run gives");
  visitor.field("folds", plan.num_folds,
                "cross-validate by query in so many folds; with --out, then train on all data",
                kNotNegative);
  visitor.group("search", plan.search);
  visitor.field("from_lightgbm", from_lightgbm,
                "take parameters from a LightGBM config; --config and options override it",
                {.file = FileUse::kInput});
  visitor.field("force", force,
                "train although the LightGBM config asks for what changes the model and cannot be "
                "had");
  visitor.section("advanced");
  visitor.field("checkpoint_every", checkpoint_every,
                "rounds between checkpoints in OUT.checkpoint; 0 writes one only when stopped",
                kNotNegative);
  visitor.field("log_every", log_every,
                "log every N rounds (rankgam: epochs) when standard error is not a terminal; 0 is "
                "never",
                kNotNegative);
  method->visit(visitor);
  visitor.section("advanced");
  files.read.visit_matching(visitor);
  visitor.group("read", files.read);
}

bool TrainOptions::keeps_checkpoints() const {
  return plan.num_folds == 0 && !plan.has_search() && is_regular_or_new(files.out);
}

void TrainOptions::check() const {
  check_training(*method, files, plan);
  check_inputs(files);
  check_outputs(*this);
}

std::vector<NamedFile> TrainOptions::files_beside() const {
  if (files.out.empty()) return {};
  std::vector<NamedFile> beside;
  if (plan.has_search()) {
    beside.push_back({"the parameters beside --out", search_config_file(files.out)});
    beside.push_back({"the trials beside --out", search_trials_file(files.out)});
  } else if (keeps_checkpoints()) {
    for (const char* phase : {"", "base", "main"}) {
      beside.push_back({"the checkpoint beside --out", FileCheckpoints::path_of(files.out, phase)});
    }
  }
  return beside;
}

}  // namespace glassrank::cli
