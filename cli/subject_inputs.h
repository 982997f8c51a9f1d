#pragma once
// What every command that explains looks at: a ranker, rankings of it, and the rows that say what
// is usual.
//
// The ranker is a model file, or a command that reads rows and writes scores (models/scorer.h). The
// background is the data itself unless a file is named.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/explain/subject.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"

namespace glassrank::cli {

struct LoadedSubject {
  std::optional<Model> model;  // none: a black box
  std::unique_ptr<const Scorer> scorer;
  Dataset data;
  Dataset background;

  // Borrows from this.
  Subject subject() const {
    return {.scorer = *scorer, .model = model ? &*model : nullptr, .background = background};
  }
};

// What differs from command to command.
struct SubjectWords {
  std::string data = "documents whose rankings are explained";
  std::string background =
      "rows that say what is usual, best the training data; without it the data itself";
  bool has_background = true;  // false: the data is all there is
};

class SubjectInputs {
 public:
  explicit SubjectInputs(SubjectWords words = {}) : words_(std::move(words)) {}

  // Which files, and which ranker.
  void visit_sources(ParamVisitor& visitor);
  // How the files are read.
  void visit_reading(ParamVisitor& visitor) { visitor.group("read", read_); }

  // Throws Error{kUsage} unless there is one ranker.
  void check() const;
  LoadedSubject load(const Context& context) const;

  // The model's file, or the command.
  const std::string& ranker() const { return model_.empty() ? command_ : model_; }
  const std::string& data() const { return data_; }

 private:
  SubjectWords words_;
  std::string model_;
  std::string command_;
  int num_features_ = 0;
  double command_seconds_ = 600;
  std::string data_;
  std::string background_;
  ReadParams read_;
};

}  // namespace glassrank::cli
