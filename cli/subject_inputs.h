#pragma once
// The options of every command that explains: a ranker, rankings of it, and the rows that say what
// is usual (explain/load_subject.h).

#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/load_subject.h"

namespace glassrank::cli {

// What differs from command to command.
struct SubjectWords {
  std::string data = "data whose rankings are explained";
  std::string background =
      "data that shows which values are usual, preferably the training data; by default the data "
      "itself";
  bool has_background = true;  // false: the data is all there is
};

class SubjectInputs {
 public:
  explicit SubjectInputs(SubjectWords words = {}) : words_(std::move(words)) {}

  // Which files, and which ranker.
  void visit_sources(ParamVisitor& visitor);
  // How the files are read.
  void visit_reading(ParamVisitor& visitor) { visitor.group("read", files_.read); }

  std::vector<ParamUse> uses() const { return {{"command_seconds", "command"}}; }

  // Throws Error{kUsage} unless there is one ranker.
  void check() const;
  LoadedSubject load(const Context& context) const;

  // The model's file, or the command.
  const std::string& ranker() const { return files_.model.empty() ? command_ : files_.model; }
  const std::string& data() const { return files_.data; }

 private:
  SubjectWords words_;
  SubjectFiles files_;
  std::string command_;
  int num_features_ = 0;
  double command_seconds_ = 600;
};

}  // namespace glassrank::cli
