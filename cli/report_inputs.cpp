#include "cli/report_inputs.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>

#include "glassrank/base/file_names.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {

std::string date_now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

ReportTask report_task(const ReportFiles& files, const std::string& command,
                       const Context& context) {
  std::vector<Model> models;
  std::vector<std::string> formats;
  for (const std::string& path : files.models) {
    LoadedModel loaded = load_model_and_format(path, context);
    models.push_back(std::move(loaded.model));
    formats.emplace_back(loaded.format.name);
  }
  ReportTask task{.models = {},
                  .data = {},
                  .data_file = files.data,
                  .train_file = files.train,
                  .date = date_now(),
                  .command = command};
  if (!files.data.empty()) task.data = load_rows_for(models, files.data, files.read, context);
  if (!files.train.empty()) task.train = load_rows_for(models, files.train, files.read, context);
  const std::vector<std::string> names = names_of_files(files.models);
  for (std::size_t m = 0; m < models.size(); ++m) {
    task.models.push_back(
        {.name = names[m], .file = files.models[m], .format = formats[m], .model = models[m]});
  }
  return task;
}

}  // namespace glassrank::cli
