#include "cli/study/study_output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/output_file.h"
#include "cli/ranking_inputs.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
void StudyFiles::visit(ParamVisitor& visitor) {
  visitor.field("out", out, "writes PREFIX.tsv, all numbers, and PREFIX.svg, the picture",
                {.required = true, .value_name = "PREFIX"});
}

std::vector<NamedFile> StudyFiles::written() const {
  return {{"the numbers of --out", data_file()}, {"the picture of --out", picture_file()}};
}

void StudyFiles::check() const {
  for (const NamedFile& file : written()) refuse_unwritable(file.path);
}

void StudyFiles::write(const StudyTables& tables, const Picture& picture) const {
  AtomicFile data(data_file());
  data.write(table_tsv(tables.data));
  data.finish();
  AtomicFile drawn(picture_file());
  drawn.write(picture.svg());
  drawn.finish();
  data.commit();
  drawn.commit();
}

void StudyFiles::print(const StudyTables& tables, Output& output) const {
  output.out << table_text(tables.shown) << '\n';
  for (const std::string& note : tables.notes) fmt::print(output.out, "{}\n", note);
  fmt::print(output.out, "written: {}, {}\n", data_file(), picture_file());
}

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

}  // namespace glassrank::cli
