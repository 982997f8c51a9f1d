#include "glassrank/explain/find_importance.h"

#include <span>

#include "glassrank/explain/importance.h"
#include "glassrank/models/display_names.h"

namespace glassrank {

Importance find_importance(const ImportanceTask& task, const Context& context) {
  using Names = std::span<const std::string>;
  Importance importance{
      .names =
          display_names(task.scorer, task.data == nullptr ? Names() : task.data->feature_names()),
      .permutation = {},
      .gain = {},
      .splits = {}};
  if (task.model != nullptr) {
    match(
        *task.model,
        [&](const Forest& forest) {
          importance.splits = split_importance(forest);
          importance.gain = gain_importance(forest);
        },
        [](const auto&) {});
  }
  if (task.data != nullptr) {
    importance.permutation =
        permutation_importance(task.scorer, *task.data, task.permutation, task.convention, context);
  }
  return importance;
}

}  // namespace glassrank
