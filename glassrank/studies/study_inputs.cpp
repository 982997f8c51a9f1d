#include "glassrank/studies/study_inputs.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank {

std::vector<NamedForest> StudyInputs::forests() const {
  std::vector<NamedForest> all;
  for (std::size_t m = 0; m < models.size(); ++m) all.push_back({names[m], forest(m)});
  return all;
}

Forest study_forest(const Model& model, const std::string& file) {
  return require_forest(model, fmt::format("a study of {}", file));
}

StudyInputs load_study_inputs(const std::vector<std::string>& model_files,
                              const std::string& data_file, const ReadParams& read,
                              const Context& context) {
  StudyInputs inputs{.names = names_of_files(model_files), .models = {}, .data = {}};
  for (const std::string& path : model_files) {
    inputs.models.push_back(load_model(path, context));
    if (study_forest(inputs.models.back(), path).trees().empty()) {
      fail(ErrorKind::kInput, "{}: the model has no trees to follow", path);
    }
  }
  inputs.data = load_rows_for(inputs.models, data_file, read, context);
  return inputs;
}

TrainingParts load_training_parts(const TrainingFiles& files, const ReadParams& read,
                                  const Context& context) {
  TrainingParts parts{.train = load_dataset(files.train, read, context), .valid = {}, .test = {}};
  const WantedFeatures wanted = features_of(parts.train.schema(), files.train);
  const auto load = [&](const std::string& path) {
    return fit_to(wanted, load_dataset(path, read, context), match_rules(path, read), context);
  };
  parts.valid = load(files.valid);
  if (!files.test.empty()) parts.test = load(files.test);
  return parts;
}

}  // namespace glassrank
