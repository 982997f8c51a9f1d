#pragma once
// What `explain` and `audit` look at: a ranker, rankings of it, and the rows that say what is
// usual.
//
// The ranker is a model file, or a command that reads rows and writes scores (models/scorer.h). The
// background is the data itself unless a file is named.

#include <memory>
#include <optional>
#include <string>
#include <vector>

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

class SubjectInputs {
 public:
  // Which files, and which ranker.
  void visit_sources(ParamVisitor& visitor);
  // How the files are read.
  void visit_reading(ParamVisitor& visitor) { visitor.group("read", read_); }

  // Throws Error{kUsage} unless there is one ranker.
  void check() const;
  LoadedSubject load(const Context& context) const;

  const std::string& model() const { return model_; }
  const std::string& command() const { return command_; }
  const std::string& data() const { return data_; }

 private:
  std::string model_;
  std::string command_;
  int num_features_ = 0;
  double command_seconds_ = 600;
  std::string data_;
  std::string background_;
  ReadParams read_;
};

}  // namespace glassrank::cli
