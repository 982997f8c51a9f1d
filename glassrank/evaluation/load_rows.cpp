#include "glassrank/evaluation/load_rows.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/known_categories.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

// LightGBM writes "none" for a column that had one value in training, where it knows; XGBoost
// writes nothing of the kind.
FirstColumn first_column_of(const Model& model, std::string_view format) {
  const bool is_lightgbm = format.starts_with("lightgbm");
  if (!is_lightgbm && !format.starts_with("xgboost")) return FirstColumn::kKnown;
  if (uses_feature(model, 0)) return FirstColumn::kKnown;
  if (!provenance_value(model, kXgboostFirstFeature).empty()) return FirstColumn::kKnown;
  const std::string_view infos = provenance_value(model, "lightgbm.feature_infos");
  if (infos.empty()) return FirstColumn::kUnused;
  if (!infos.starts_with("none")) return FirstColumn::kKnown;
  // Others write "none" for whatever is in no tree, and no parameters of LightGBM.
  const bool is_their_own = !provenance_value(model, "lightgbm.boosting").empty();
  return is_their_own ? FirstColumn::kEmpty : FirstColumn::kUnused;
}

// XGBoost takes what a sparse row does not name as missing, LightGBM and we as 0.
void warn_of_absent(const Model& model, const Dataset& data, const MatchRules& rules,
                    const Context& context) {
  const auto& padding = data.schema().padding();
  if (!padding || !padding->is_sparse || padding->value != 0) return;
  if (!provenance_value(model, "format").starts_with("xgboost")) return;
  context.warn(
      fmt::format("{} is sparse: absent features count as 0, while XGBoost takes them as missing; "
                  "absent = missing does the same",
                  rules.file));
}

}  // namespace

WantedFeatures features_of(const Model& model) {
  const std::string_view format = provenance_value(model, "format");
  // These files name the features they use, not how many there were.
  const bool knows_all =
      format != "ranklib" && format != "quickrank" && format != "solr" && format != "xgboost dump";
  return {.names = feature_names_of(model),
          .num_features = num_features_of(model),
          .knows_all = knows_all,
          .first = first_column_of(model, format),
          .categories = category_names_of(model)};
}

Dataset rows_for(const Model& model, const Dataset& data, const std::string& path,
                 const ReadParams& params, const Context& context) {
  const WantedFeatures wanted = features_of(model);
  const MatchRules rules = match_rules(path, params);
  const ColumnMatch match = match_columns(wanted, data.schema(), rules);
  tell(match, context);
  warn_of_absent(model, data, rules, context);
  require_known_categories(wanted, data.schema(), match, rules,
                           [&](std::uint32_t f) { return uses_feature(model, f); });
  // Columns behind those of the model do no harm.
  if (is_as_wanted(data.schema(), wanted, match)) return data;
  return take_columns(data, wanted, match, OtherColumns::kDrop, context);
}

ReadParams read_params_for(std::span<const Model> models, const ReadParams& params) {
  ReadParams with_categories = params;
  for (const Model& model : models) {
    const CategoryNames categories = category_names_of(model);
    const auto names = feature_names_of(model);
    for (std::size_t f = 0; f < categories.size() && f < names.size(); ++f) {
      if (!categories[f].empty()) with_categories.categorical_if_there.push_back(names[f]);
    }
  }
  return with_categories;
}

Dataset load_rows_for(const Model& model, const std::string& path, const ReadParams& params,
                      const Context& context) {
  return rows_for(model, load_dataset(path, read_params_for({&model, 1}, params), context), path,
                  params, context);
}

Dataset load_rows_for(std::span<const Model> models, const std::string& path,
                      const ReadParams& params, const Context& context) {
  return rows_for(models, load_dataset(path, read_params_for(models, params), context), path,
                  params, context);
}

Dataset rows_for(std::span<const Model> models, const Dataset& data, const std::string& path,
                 const ReadParams& params, const Context& context) {
  if (models.empty()) return data;
  const auto widest = std::ranges::max_element(models, {}, num_features_of);
  const Dataset rows = rows_for(*widest, data, path, params, context);
  for (const Model& model : models) {
    const WantedFeatures wanted = features_of(model);
    const ColumnMatch own = match_columns(wanted, data.schema(), match_rules(path, params));
    const ColumnMatch first =
        match_columns(features_of(*widest), data.schema(), match_rules(path, params));
    if (std::equal(own.columns.begin(), own.columns.end(), first.columns.begin())) continue;
    fail(
        ErrorKind::kInput,
        "the models do not have the same features in the same order: each must be looked at alone");
  }
  return rows;
}

}  // namespace glassrank
