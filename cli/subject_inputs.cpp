#include "cli/subject_inputs.h"

#include "glassrank/base/error.h"

namespace glassrank::cli {

void SubjectInputs::visit_sources(ParamVisitor& visitor) {
  visitor.field("model", files_.model, "model in any format that can be read",
                {.file = FileUse::kInput});
  visitor.field("command", command_,
                "instead of a model: a command that reads a line of tab-separated features per "
                "document and writes a score per line",
                {.value_name = "COMMAND"});
  visitor.field("num_features", num_features_, "features that --command reads", kNotNegative);
  visitor.section("advanced");
  visitor.field("command_seconds", command_seconds_,
                "seconds that --command may take for a batch of documents; 0 for no limit",
                kNotNegative);
  visitor.section("data");
  visitor.field("data", files_.data, words_.data, {.required = true, .file = FileUse::kInput});
  if (!words_.has_background) return;
  visitor.field("background", files_.background, words_.background, {.file = FileUse::kInput});
}

void SubjectInputs::check() const {
  if (files_.model.empty() == command_.empty()) {
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
  SubjectFiles files = files_;
  files.command = {.command = command_,
                   .num_features = static_cast<std::size_t>(num_features_),
                   .seconds = command_seconds_};
  files.needs_background = words_.has_background;
  return load_subject(files, context);
}

}  // namespace glassrank::cli
