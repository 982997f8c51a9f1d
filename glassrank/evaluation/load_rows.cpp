#include "glassrank/evaluation/load_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Files without a header name their columns by number, LightGBM without names "Column_0".
bool are_real(std::span<const std::string> names) {
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (names[f] != fmt::to_string(f) && names[f] != fmt::to_string(f + 1) &&
        names[f] != fmt::format("Column_{}", f)) {
      return true;
    }
  }
  return false;
}

// RankLib and QuickRank files name the features they use, not how many there were.
bool knows_num_features(const Model& model) {
  return std::ranges::none_of(model.provenance, [](const auto& line) {
    return line.first == "format" && (line.second == "ranklib" || line.second == "quickrank");
  });
}

void compare_names(const Model& model, const Dataset& data, const Context& context) {
  const std::span<const std::string> names = feature_names_of(model);
  if (!are_real(names) || !are_real(data.feature_names())) return;
  for (std::size_t f = 0; f < names.size() && f < data.num_features(); ++f) {
    if (names[f] == data.feature_names()[f]) continue;
    context.warn(
        fmt::format("feature {} is '{}' in the model and '{}' in the data; columns are matched by "
                    "place, not by name",
                    f + 1, names[f], data.feature_names()[f]));
    return;
  }
}

}  // namespace

Dataset load_rows_for(std::span<const Model> models, const std::string& path,
                      const ReadParams& params, const Context& context) {
  std::size_t num_features = 0;
  for (const Model& model : models) {
    num_features = std::max(num_features, num_features_of(model));
  }
  Dataset data = load_dataset(path, params, context);
  if (data.num_features() < num_features) {
    if (path == "-") {
      fail(ErrorKind::kUsage, "standard input has {} features; say that there are {}",
           data.num_features(), num_features);
    }
    context.info(fmt::format("{} has {} features, the model {}: the rest count as absent", path,
                             data.num_features(), num_features));
    ReadParams padded = params;
    padded.num_features = static_cast<int>(num_features);
    data = load_dataset(path, padded, context);
  } else if (!models.empty() && std::ranges::all_of(models, knows_num_features) &&
             data.num_features() > num_features) {
    context.info(fmt::format("{} has {} features, the model {}: the rest are not looked at",
                             path == "-" ? "standard input" : path, data.num_features(),
                             num_features));
  }
  for (const Model& model : models) {
    compare_names(model, data, context);
  }
  return data;
}

}  // namespace glassrank
