#include "glassrank/models/io/catboost_json.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/nested_tree.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostColumns = std::size_t{1} << 24;

// What a float feature is among all columns.
struct FloatFeature {
  std::uint32_t column = 0;
  bool missing_is_above = false;
};

struct CatboostFeatures {
  std::vector<FloatFeature> floats;
  std::vector<std::string> names;  // of all columns; empty if there are none
  std::size_t num_columns = 0;
};

std::size_t index_member(const Json& object, std::string_view key, std::size_t end) {
  const double value = number_member(object, key);
  if (!(value >= 0) || value != std::floor(value) || value >= static_cast<double>(end)) {
    fail(ErrorKind::kInput, "'{}' is {}; a whole number below {} is expected", key, value, end);
  }
  return static_cast<std::size_t>(value);
}

void refuse_other_features(const Json& info) {
  for (const std::string_view key :
       {"categorical_features", "text_features", "embedding_features"}) {
    const auto found = info.find(key);
    if (found != info.end() && !found->empty()) {
      fail(ErrorKind::kInput, "CatBoost's {} are not supported; models of numbers are", key);
    }
  }
}

CatboostFeatures read_features(const Json& document) {
  const Json& info = member(document, "features_info");
  refuse_other_features(info);
  CatboostFeatures features;
  bool has_names = false;
  for (const Json& feature : array_member(info, "float_features")) {
    const std::size_t column = index_member(feature, "flat_feature_index", kMostColumns);
    const std::string nan = text_value(feature, "nan_value_treatment");
    if (nan != "AsFalse" && nan != "AsTrue" && nan != "AsIs") {
      fail(ErrorKind::kInput, "nan_value_treatment '{}' is unknown", nan);
    }
    features.floats.push_back(
        {.column = static_cast<std::uint32_t>(column), .missing_is_above = nan == "AsTrue"});
    if (features.names.size() <= column) features.names.resize(column + 1);
    const auto id = feature.find("feature_id");
    if (id == feature.end() || !id->is_string()) continue;
    features.names[column] = id->get<std::string>();
    has_names = has_names || !features.names[column].empty();
  }
  features.num_columns = features.names.size();
  for (std::size_t f = 0; f < features.names.size(); ++f) {
    // CatBoost calls a column without a name by its number.
    if (features.names[f].empty()) features.names[f] = fmt::to_string(f);
  }
  if (!has_names) features.names.clear();
  return features;
}

TreeNode node_of_split(const Json& split, const CatboostFeatures& features) {
  const auto type = split.find("split_type");
  if (type != split.end() && *type != Json("FloatFeature")) {
    fail(ErrorKind::kInput, "a split of type {}; splits on numbers are supported", type->dump());
  }
  const FloatFeature& feature =
      features.floats[index_member(split, "float_feature_index", features.floats.size())];
  return {.feature = feature.column,
          .threshold = float_member(split, "border"),
          .missing_left = !feature.missing_is_above};
}

std::vector<double> numbers_of(const Json& tree, std::string_view key) {
  std::vector<double> values;
  for (const Json& value : array_member(tree, key)) {
    if (!value.is_number())
      fail(ErrorKind::kInput, "'{}' holds {}, not a number", key, value.dump());
    values.push_back(value.get<double>());
  }
  return values;
}

// Nodes level by level from the root: node i has the children 2i + 1 and 2i + 2.
Tree expand_oblivious(const Json& json, const CatboostFeatures& features) {
  constexpr std::size_t kMostDepth = 16;
  std::vector<TreeNode> splits;
  const auto listed = json.find("splits");
  if (listed != json.end() && !listed->is_null()) {
    for (const Json& split : array_member(json, "splits")) {
      splits.push_back(node_of_split(split, features));
    }
  }
  const std::size_t depth = splits.size();
  if (depth > kMostDepth) fail(ErrorKind::kInput, "{} splits; at most 16 are possible", depth);
  const std::size_t num_leaves = std::size_t{1} << depth;
  Tree tree;
  tree.leaf_values = numbers_of(json, "leaf_values");
  if (tree.leaf_values.size() != num_leaves) {
    fail(ErrorKind::kInput, "{} leaf values for {} leaves; models of one output are supported",
         tree.leaf_values.size(), num_leaves);
  }
  if (json.contains("leaf_weights")) {
    tree.statistics.leaf_weight = numbers_of(json, "leaf_weights");
    if (tree.statistics.leaf_weight.size() != num_leaves) tree.statistics.leaf_weight.clear();
  }
  // The root asks for the highest bit of the leaf, so leaves stand in order from left to right.
  for (std::size_t i = 0; i + 1 < num_leaves; ++i) {
    const auto level = static_cast<std::size_t>(std::bit_width(i + 1)) - 1;
    TreeNode node = splits[depth - 1 - level];
    const auto child = [&](std::size_t c) {
      return c + 1 < num_leaves ? static_cast<std::int32_t>(c)
                                : ~static_cast<std::int32_t>(c + 1 - num_leaves);
    };
    node.left = child(2 * i + 1);
    node.right = child(2 * i + 2);
    tree.nodes.push_back(node);
  }
  return tree;
}

NestedNode look_at_catboost(const Json& json, const CatboostFeatures& features) {
  NestedNode found;
  if (json.is_object() && json.contains("value")) {
    if (!json["value"].is_number()) {
      fail(ErrorKind::kInput, "a leaf has several values; models of one output are supported");
    }
    found.value = number_member(json, "value");
    found.weight = optional_number(json, "weight");
    return found;
  }
  found.node = node_of_split(member(json, "split"), features);
  found.left = &member(json, "left");
  found.right = &member(json, "right");
  return found;
}

// {scale, bias}
std::pair<double, double> scale_and_bias(const Json& document) {
  const auto found = document.find("scale_and_bias");
  if (found == document.end()) return {1, 0};
  const bool is_pair = found->is_array() && found->size() == 2 && (*found)[0].is_number();
  const Json& bias = is_pair ? (*found)[1] : *found;
  const bool is_one = is_pair && bias.is_array() && bias.size() == 1 && bias[0].is_number();
  if (is_one) return {(*found)[0].get<double>(), bias[0].get<double>()};
  if (is_pair && bias.is_number()) return {(*found)[0].get<double>(), bias.get<double>()};
  if (is_pair && bias.is_array() && bias.empty()) return {(*found)[0].get<double>(), 0};
  fail(ErrorKind::kInput, "scale_and_bias is {}; models of one output are supported",
       found->dump().substr(0, 60));
}

}  // namespace

Model read_catboost_json(std::string_view text) {
  const Json document = parse_json_text(text, kMostNestedLevels);
  CatboostFeatures features = read_features(document);
  const auto [scale, bias] = scale_and_bias(document);
  ForestParts parts;
  const bool is_oblivious = document.contains("oblivious_trees");
  for (const Json& json : array_member(document, is_oblivious ? "oblivious_trees" : "trees")) {
    try {
      parts.trees.push_back(is_oblivious ? expand_oblivious(json, features)
                                         : read_nested_tree(json, [&](const Json& node) {
                                             return look_at_catboost(node, features);
                                           }));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", parts.trees.size()));
      throw;
    }
    for (double& value : parts.trees.back().leaf_values) value *= scale;
  }
  parts.num_features = features.num_columns;
  parts.feature_names = std::move(features.names);
  parts.base_score = bias;
  return {.body = Forest(std::move(parts)), .provenance = {{"format", "catboost"}}};
}

}  // namespace glassrank
