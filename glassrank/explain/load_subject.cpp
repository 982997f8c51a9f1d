#include "glassrank/explain/load_subject.h"

#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank {

LoadedSubject load_subject(const SubjectFiles& files, const Context& context) {
  LoadedSubject loaded;
  ReadParams read = files.read;
  read.may_lack_grades = true;
  if (files.model.empty()) {
    read.num_features = static_cast<int>(files.command.num_features);
    loaded.scorer = make_command_scorer(files.command);
  } else {
    loaded.model = load_model(files.model, context);
    loaded.scorer = make_scorer(*loaded.model);
  }
  const auto rows = [&](const std::string& path) {
    return loaded.model ? load_rows_for(*loaded.model, path, read, context)
                        : load_dataset(path, read, context);
  };
  loaded.data = rows(files.data);
  if (files.background.empty()) {
    if (files.needs_background) {
      context.info("the data itself is the background; --background FILE takes other rows");
    }
    loaded.background = loaded.data;
  } else {
    loaded.background = rows(files.background);
  }
  return loaded;
}

}  // namespace glassrank
