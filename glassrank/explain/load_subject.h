#pragma once
// What every explanation of files looks at: a ranker, rankings of it, and the rows that say what is
// usual.
//
// The ranker is a model file, or a command that reads rows and writes scores (models/scorer.h). The
// background is the data itself unless a file is named.

#include <memory>
#include <optional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/explain/subject.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct SubjectFiles {
  std::string model;                 // empty: the command
  CommandScorerParams command = {};  // looked at without a model
  std::string data;
  std::string background;        // empty: the data
  bool needs_background = true;  // off: nobody asks what is usual, and no notice says so
  ReadParams read = {};
};

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

// Throws as load_model and load_dataset do. Rows need no grades.
LoadedSubject load_subject(const SubjectFiles& files, const Context& context);

}  // namespace glassrank
