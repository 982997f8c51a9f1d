#include "cli/report_inputs.h"

#include <chrono>
#include <ctime>
#include <memory>

#include <fmt/chrono.h>

#include "glassrank/base/command_text.h"
#include "glassrank/base/error.h"
#include "glassrank/base/file_names.h"
#include "glassrank/base/kept_warnings.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

std::vector<std::string> names_of(const ReportFiles& files) {
  if (files.names.empty()) return names_of_files(files.models);
  if (files.names.size() != files.models.size()) {
    fail(ErrorKind::kUsage, "--name is given {} times for {} models; give one for each, in order",
         files.names.size(), files.models.size());
  }
  return files.names;
}

void add_record(const std::string& path, std::vector<ReportModel>& models) {
  const RecordedRun run = read_run_record(path);
  bool is_used = false;
  for (ReportModel& model : models) {
    if (!is_record_of(run, model.model)) continue;
    model.record = run;
    is_used = true;
  }
  if (!is_used) {
    fail(ErrorKind::kInput,
         "{} is the record of another training than that of {}: settings, seed or data differ",
         path, models.size() == 1 ? "the model" : "any of the models");
  }
}

}  // namespace

std::string date_now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

std::string command_text(const std::string& name, std::span<const ParamInfo> infos,
                         std::span<const ParamInfo> defaults, const Context& context) {
  const std::string seed = context.seed == 0 ? "" : fmt::format(" --seed {}", context.seed);
  return fmt::format("glassrank {}{}{}", name, given_options(infos, defaults), seed);
}

ReportTask report_task(const ReportFiles& files, const std::string& command, const Context& given) {
  const std::vector<std::string> names = names_of(files);
  const auto kept = std::make_shared<KeptWarnings>(given.log_sink);
  Context context = given;
  context.log_sink = kept;
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
  for (std::size_t m = 0; m < models.size(); ++m) {
    task.models.push_back(
        {.name = names[m], .file = files.models[m], .format = formats[m], .model = models[m]});
  }
  for (const std::string& path : files.records) add_record(path, task.models);
  if (!files.data.empty()) {
    const Dataset data = load_dataset(files.data, read_params_for(models, files.read), context);
    task.data = rows_for(models, data, files.data, files.read, context);
    task.unknown = unknown_categories(models, data, task.data, files.data, files.read);
  }
  if (!files.train.empty()) task.train = load_rows_for(models, files.train, files.read, context);
  task.notices = kept->warnings();
  return task;
}

}  // namespace glassrank::cli
