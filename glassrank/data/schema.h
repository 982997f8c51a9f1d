#pragma once
// What the columns of ranking data are: name, kind and role of each.
//
// The role says what a reader took a column for: the values models learn from (feature) or one of
// the columns beside them. Only named columns are listed, in the order of the file: all of a CSV
// file's; of SVMlight text and caches, where place and not name tells the rest, the features.
// Features are numbered in the order of their columns, without gaps.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/data/category_names.h"

namespace glassrank {

// What the values of a column are: numbers, or codes of categories (category_names.h).
enum class ColumnKind : unsigned char { kNumeric, kCategory };

// kIgnored: in the file, but not read.
enum class ColumnRole : unsigned char { kFeature, kGrade, kQuery, kDocument, kWeight, kIgnored };

struct SchemaColumn {
  std::string name;
  ColumnRole role = ColumnRole::kFeature;
  ColumnKind kind = ColumnKind::kNumeric;
  std::vector<std::string> categories = {};  // by code; none where values are the codes themselves

  bool operator==(const SchemaColumn&) const = default;
};

// What features beyond those of a file are when more are asked for: of one value in every row, and
// named by their number, which goes on from that of the file's first feature.
struct FeaturePadding {
  float value = 0;  // 0, or NaN where absent means missing
  std::uint32_t first_number = 1;
  bool has_ids = false;  // columns are the ids of LETOR text, also where they have names
  // The rows do not all begin and end with the same features: the file leaves absent ones out, so
  // its last features may be in no row.
  bool is_sparse = false;
};

class Schema {
 public:
  // No column.
  Schema() = default;
  explicit Schema(std::vector<SchemaColumn> columns);
  // Numeric features of these names.
  static Schema of_features(std::vector<std::string> names);

  void add(SchemaColumn column);
  void add_feature(std::string name) { add({.name = std::move(name)}); }

  std::span<const SchemaColumn> columns() const { return columns_; }
  bool has(ColumnRole role) const;
  std::size_t num_features() const { return feature_names_.size(); }
  std::span<const std::string> feature_names() const { return feature_names_; }
  const SchemaColumn& feature(std::size_t f) const { return columns_[feature_columns_[f]]; }
  bool is_category(std::size_t f) const { return feature(f).kind == ColumnKind::kCategory; }
  bool has_categories() const;
  // Makes a feature one of categories with these names.
  void set_category(std::size_t f, std::vector<std::string> categories);
  // The names of all features, none if there are none.
  CategoryNames category_names() const;

  // Empty: there are as many features as there are (caches, data made by a program).
  const std::optional<FeaturePadding>& padding() const { return padding_; }
  void set_padding(FeaturePadding padding) { padding_ = padding; }
  // Adds numbered features until there are `num_features`; nothing if there are as many. The
  // padding is set. Throws Error{kInput} when a number is the name of a column. O(features).
  void pad_features(std::size_t num_features);

 private:
  std::vector<SchemaColumn> columns_;
  std::vector<std::string> feature_names_;
  std::vector<std::size_t> feature_columns_;  // where they are among the columns
  std::optional<FeaturePadding> padding_;
};

}  // namespace glassrank
