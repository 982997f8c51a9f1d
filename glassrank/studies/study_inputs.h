#pragma once
// What studies are made from, read from files: models with data that fits them, or data to train
// on.

#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/models/model.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

// Studies follow trees. Throws Error{kUsage} naming the file when the model has none.
Forest study_forest(const Model& model, const std::string& file);

// Models with the names of their files and data that fits them all. Throws Error{kInput} for a
// model without trees.
struct StudyInputs {
  std::vector<std::string> names;
  std::vector<Model> models;
  Dataset data;

  Forest forest(std::size_t model) const { return study_forest(models[model], names[model]); }
  std::vector<NamedForest> forests() const;
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

}  // namespace glassrank
