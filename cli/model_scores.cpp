#include "cli/model_scores.h"

#include <fmt/format.h>

#include "glassrank/base/parallel.h"

namespace glassrank::cli {
namespace {

// Files without a header name their columns by number.
bool is_named(const Dataset& data) {
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    const std::string& name = data.feature_names()[f];
    if (name != fmt::to_string(f) && name != fmt::to_string(f + 1)) return true;
  }
  return false;
}

void compare_names(const Forest& forest, const Dataset& data, const Context& context) {
  if (forest.feature_names().empty() || !is_named(data)) return;
  for (std::size_t f = 0; f < forest.num_features() && f < data.num_features(); ++f) {
    if (forest.feature_names()[f] == data.feature_names()[f]) continue;
    context.warn(
        fmt::format("feature {} is '{}' in the model and '{}' in the data; columns are matched by "
                    "place, not by name",
                    f + 1, forest.feature_names()[f], data.feature_names()[f]));
    return;
  }
}

}  // namespace

Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                      const Context& context) {
  const auto& forest = std::get<Forest>(model.body);
  Dataset data = load_dataset(path, params, context);
  if (data.num_features() < forest.num_features()) {
    context.info(fmt::format("{} has {} features, the model {}: the rest count as absent", path,
                             data.num_features(), forest.num_features()));
    ReadParams padded = params;
    padded.num_features = static_cast<int>(forest.num_features());
    data = load_dataset(path, padded, context);
  }
  compare_names(forest, data, context);
  return data;
}

std::vector<double> score_rows(const Model& model, const Dataset& data, const Context& context) {
  constexpr std::size_t kChunk = 1024;
  const auto& forest = std::get<Forest>(model.body);
  std::vector<double> scores(data.num_rows());
  parallel_for(context, data.num_rows(), kChunk, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t r = begin; r < end; ++r) scores[r] = forest.score(data.row(r));
  });
  return scores;
}

}  // namespace glassrank::cli
