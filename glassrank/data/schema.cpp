#include "glassrank/data/schema.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {

Schema::Schema(std::vector<SchemaColumn> columns) {
  for (SchemaColumn& column : columns) add(std::move(column));
}

Schema Schema::of_features(std::vector<std::string> names) {
  Schema schema;
  for (std::string& name : names) schema.add_feature(std::move(name));
  return schema;
}

void Schema::add(SchemaColumn column) {
  if (column.role == ColumnRole::kFeature) {
    feature_names_.push_back(column.name);
    feature_columns_.push_back(columns_.size());
  }
  columns_.push_back(std::move(column));
}

bool Schema::has(ColumnRole role) const {
  return std::ranges::find(columns_, role, &SchemaColumn::role) != columns_.end();
}

bool Schema::has_categories() const {
  return std::ranges::any_of(columns_, [](const SchemaColumn& column) {
    return column.role == ColumnRole::kFeature && column.kind == ColumnKind::kCategory;
  });
}

void Schema::set_category(std::size_t f, std::vector<std::string> categories) {
  SchemaColumn& column = columns_[feature_columns_[f]];
  column.kind = ColumnKind::kCategory;
  column.categories = std::move(categories);
}

CategoryNames Schema::category_names() const {
  CategoryNames names(num_features());
  bool any = false;
  for (std::size_t f = 0; f < names.size(); ++f) {
    names[f] = feature(f).categories;
    any |= !names[f].empty();
  }
  return any ? names : CategoryNames();
}

void Schema::pad_features(std::size_t num_features) {
  if (this->num_features() >= num_features) return;
  assert(padding_.has_value());
  std::unordered_set<std::string> taken;
  taken.insert(feature_names_.begin(), feature_names_.end());
  for (std::size_t f = this->num_features(); f < num_features; ++f) {
    std::string number = std::to_string(padding_->first_number + f);
    if (taken.contains(number)) {
      fail(ErrorKind::kInput, "feature {}, added for num_features = {}, has the name of a column",
           number, num_features);
    }
    add_feature(std::move(number));
  }
}

}  // namespace glassrank
