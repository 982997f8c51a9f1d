#include "cli/subject_inputs.h"

#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {

void SubjectInputs::visit_sources(ParamVisitor& visitor) {
  visitor.field("model", model_, "model in any format that can be read", {.file = FileUse::kInput});
  visitor.field("command", command_,
                "instead of a model: a command that reads a line of tab-separated features per "
                "document and writes a score per line",
                {.value_name = "COMMAND"});
  visitor.field("num_features", num_features_, "features that --command reads", kNotNegative);
  visitor.field("command_seconds", command_seconds_,
                "time that --command may take for a batch of documents; 0: no limit", kNotNegative);
  visitor.field("data", data_, words_.data, {.required = true, .file = FileUse::kInput});
  if (!words_.has_background) return;
  visitor.field("background", background_, words_.background, {.file = FileUse::kInput});
}

void SubjectInputs::check() const {
  if (model_.empty() == command_.empty()) {
    fail(ErrorKind::kUsage, "name the ranker: either --model FILE or --command COMMAND");
  }
  if (!command_.empty() && num_features_ == 0) {
    fail(ErrorKind::kUsage, "--command needs --num-features, the features it reads");
  }
  if (command_.empty() && num_features_ != 0) {
    fail(ErrorKind::kUsage, "--num-features is for --command; a model knows its features");
  }
}

LoadedSubject SubjectInputs::load(const Context& context) const {
  LoadedSubject loaded;
  ReadParams read = read_;
  if (model_.empty()) {
    read.num_features = num_features_;
    loaded.scorer = make_command_scorer({.command = command_,
                                         .num_features = static_cast<std::size_t>(num_features_),
                                         .seconds = command_seconds_});
  } else {
    loaded.model = load_model(model_, context);
    loaded.scorer = make_scorer(*loaded.model);
  }
  const auto rows = [&](const std::string& path) {
    return loaded.model ? load_rows_for(*loaded.model, path, read, context)
                        : load_dataset(path, read, context);
  };
  loaded.data = rows(data_);
  if (background_.empty()) {
    if (words_.has_background) {
      context.info("the data itself is the background; --background FILE takes other rows");
    }
    loaded.background = loaded.data;
  } else {
    loaded.background = rows(background_);
  }
  return loaded;
}

}  // namespace glassrank::cli
