#pragma once
// What every `glassrank study` command shares: the options for its files, and how they are written.

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/models/model.h"
#include "glassrank/report/studies/study_result.h"

namespace glassrank::cli {

struct StudyFiles {
  std::string out;

  void visit(ParamVisitor& visitor);
  std::string data_file() const { return out + ".tsv"; }
  std::string picture_file() const { return out + ".svg"; }
  // Before the work: throws Error{kUsage} if an input would be written over, Error{kIo} if the
  // files cannot be written.
  void check(const std::vector<std::string>& inputs) const;
  // Writes both files or none, and prints the table with its notes, or one JSON document.
  void write(const StudyResult& result, Output& output) const;
};

// What counts as an outlier, as options.
struct OutlierOptions {
  OutlierRule rule;
  int cutoff = 10;

  void visit(ParamVisitor& visitor);
  OutlierRule resolve() const;
};

// Studies follow trees. Throws Error{kUsage} naming the file when the model has none.
Forest study_forest(const Model& model, const std::string& file);

// Models with the names of their files and data that fits them all. Throws Error{kInput} for a
// model without trees.
struct StudyInputs {
  std::vector<std::string> names;
  std::vector<Model> models;
  Dataset data;

  Forest forest(std::size_t model) const { return study_forest(models[model], names[model]); }
};
StudyInputs load_study_inputs(const std::vector<std::string>& model_files,
                              const std::string& data_file, const ReadParams& read,
                              const Context& context);

// Data to train on, all with as many features as the training data. `test` may be no file.
struct TrainingFiles {
  std::string train;
  std::string valid;
  std::string test;
};
struct TrainingParts {
  Dataset train;
  Dataset valid;
  std::optional<Dataset> test;
};
TrainingParts load_training_parts(const TrainingFiles& files, const ReadParams& read,
                                  const Context& context);

// The last tree of a window: `end`, or all trees for 0. Throws Error{kUsage} for windows that are
// empty or longer than the forest.
std::size_t window_end(int start, int end, std::size_t num_trees);

}  // namespace glassrank::cli
