#include "glassrank/evaluation/unknown_categories.h"

#include <algorithm>
#include <cmath>

#include "glassrank/data/match_columns.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/model_categories.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {

std::vector<UnknownCategory> unknown_categories(std::span<const Model> models, const Dataset& read,
                                                const Dataset& rows, const std::string& path,
                                                const ReadParams& params) {
  std::vector<UnknownCategory> unknown;
  if (models.empty()) return unknown;
  const WantedFeatures wanted = features_of(*std::ranges::max_element(models, {}, num_features_of));
  const ColumnMatch match = match_columns(wanted, read.schema(), match_rules(path, params));
  for (std::uint32_t f = 0; f < match.columns.size() && f < wanted.num_features; ++f) {
    const std::size_t num_known = names_of(wanted.categories, f).size();
    const std::uint32_t column = match.columns[f];
    if (num_known == 0 || column == ColumnMatch::kAbsent) continue;
    const std::span<const std::string> names = read.schema().feature(column).categories;
    for (std::size_t row = 0; row < rows.num_rows(); ++row) {
      const float code = rows.row(row)[f];
      if (std::isnan(code) || code < static_cast<float>(num_known)) continue;
      unknown.push_back({f, row, category_of_value(names, read.row(row)[column])});
    }
  }
  return unknown;
}

}  // namespace glassrank
