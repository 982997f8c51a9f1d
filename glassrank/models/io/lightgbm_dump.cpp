#include "glassrank/models/io/lightgbm_dump.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/models/io/category_json.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/lacks.h"
#include "glassrank/models/io/lightgbm_categories.h"
#include "glassrank/models/io/nested_tree.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/objective_names.h"
#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {
namespace {

// Infinity is no number of JSON; this is what LightGBM writes for it.
constexpr double kInfinityText = 1e300;

bool flag_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

// The rule of lightgbm_text.h: without missing values, one counts as 0.
void set_missing(TreeNode& node, bool default_left, const std::string& type) {
  if (type != "None" && type != "Zero" && type != "NaN") {
    fail(ErrorKind::kInput, "missing_type '{}' is unknown; None, Zero and NaN are known", type);
  }
  node.missing_left = type == "None" ? 0.0F <= node.threshold : default_left;
  node.zero_is_missing = type == "Zero";
}

// "0||3||7": these go left, everything else right, NaN too.
CategorySet categories_of(std::string_view text) {
  std::vector<std::uint32_t> codes;
  if (text.empty()) return CategorySet(codes);
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find("||");
    std::uint32_t code = 0;
    if (!parse_number(rest.substr(0, end), code)) {
      fail(ErrorKind::kInput, "'{}' is no list of categories, as 0||3||7", text);
    }
    codes.push_back(code);
    if (end == std::string_view::npos) return CategorySet(codes);
    rest.remove_prefix(end + 2);
  }
}

NestedNode look_at_structure(const Json& json) {
  NestedNode found;
  if (json.is_object() && json.contains("leaf_value")) {
    found.value = number_member(json, "leaf_value");
    found.weight = optional_number(json, "leaf_weight");
    found.count = optional_number(json, "leaf_count");
    return found;
  }
  const double feature = number_member(json, "split_feature");
  if (!(feature >= 0) || feature != std::floor(feature) || feature > 4e9) {
    fail(ErrorKind::kInput, "split_feature {} is not the number of a feature", feature);
  }
  const std::string decision = text_value(json, "decision_type");
  found.node.feature = static_cast<std::uint32_t>(feature);
  if (decision == "==") {
    found.node.categories = categories_of(text_value(json, "threshold"));
  } else if (decision == "<=") {
    const double threshold = number_member(json, "threshold");
    if (std::isnan(threshold)) fail(ErrorKind::kInput, "a threshold is NaN");
    found.node.threshold = threshold >= kInfinityText ? HUGE_VALF : float_at_most(threshold);
    set_missing(found.node, flag_of(json, "default_left"), text_value(json, "missing_type"));
  } else {
    fail(ErrorKind::kInput, "decision_type '{}' is unknown; <= and == are known", decision);
  }
  found.left = &member(json, "left_child");
  found.right = &member(json, "right_child");
  found.gain = optional_number(json, "split_gain");
  found.mean = optional_number(json, "internal_value");
  found.weight = optional_number(json, "internal_weight");
  found.count = optional_number(json, "internal_count");
  return found;
}

void refuse_more_scores(const Json& document) {
  for (const std::string_view key : {"num_class", "num_tree_per_iteration"}) {
    if (number_member(document, key) != 1) {
      fail(ErrorKind::kInput, "{} is {}: only models with one score per row are supported", key,
           number_member(document, key));
    }
  }
}

std::vector<std::string> texts_of(const Json& document, std::string_view key) {
  std::vector<std::string> texts;
  for (const Json& text : array_member(document, key)) {
    if (!text.is_string()) fail(ErrorKind::kInput, "'{}' holds {}, not a text", key, text.dump());
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

// Features of categories: those whose values are listed, and those that a node asks for some.
std::vector<std::size_t> listed_categories(const Json& document, const ForestParts& parts) {
  std::vector<bool> found(parts.num_features);
  const auto infos = document.find("feature_infos");
  for (std::size_t f = 0; infos != document.end() && infos->is_object() && f < found.size(); ++f) {
    const auto info = infos->find(parts.feature_names[f]);
    if (info == infos->end() || !info->is_object()) continue;
    const auto values = info->find("values");
    found[f] = values != info->end() && values->is_array() && !values->empty();
  }
  for (const Tree& tree : parts.trees) {
    for (const TreeNode& node : tree.nodes) {
      if (node.asks_category() && node.feature < found.size()) found[node.feature] = true;
    }
  }
  std::vector<std::size_t> features;
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (found[f]) features.push_back(f);
  }
  return features;
}

// The names behind the codes, which LightGBM's Python package adds.
void read_category_names(const Json& document, ForestParts& parts, Provenance& provenance) {
  const auto lists = document.find("pandas_categorical");
  if (lists == document.end() || !lists->is_array() || lists->empty()) return;
  const std::vector<std::size_t> features = listed_categories(document, parts);
  if (features.size() == lists->size()) {
    parts.categories = read_pandas_categorical(*lists, features, parts.num_features);
    return;
  }
  provenance.emplace_back(
      kLacks, fmt::format("the names of categories: it has {} lists of them for {} features of "
                          "categories, so that the codes have no names",
                          lists->size(), features.size()));
}

std::string json_string(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string double_text(double value) {
  return fmt::format("{}", std::clamp(value, -kInfinityText, kInfinityText));
}

template <typename T>
std::string statistic_text(std::string_view key, const std::vector<T>& column, std::size_t i) {
  return column.empty() ? std::string() : fmt::format(",\"{}\":{}", key, column[i]);
}

NestedText inner_text(const Tree& tree, std::size_t i) {
  const TreeNode& node = tree.nodes[i];
  const TreeStatistics& known = tree.statistics;
  NestedText text{.between = ",\"right_child\":", .behind = "}"};
  const bool asks_category = node.asks_category();
  const std::string threshold =
      asks_category ? fmt::format("\"{}\"", fmt::join(node.categories.codes(), "||"))
                    : double_text(double{node.threshold});
  text.before = fmt::format(
      R"({{"split_index":{},"split_feature":{}{},"threshold":{},"decision_type":"{}",)"
      R"("default_left":{},"missing_type":"{}"{}{}{},"left_child":)",
      i, node.feature, statistic_text("split_gain", known.node_gain, i), threshold,
      asks_category ? "==" : "<=", node.missing_left && !asks_category ? "true" : "false",
      node.zero_is_missing ? "Zero" : "NaN", statistic_text("internal_value", known.node_value, i),
      statistic_text("internal_weight", known.node_weight, i),
      statistic_text("internal_count", known.node_count, i));
  return text;
}

// Of features of categories only: whose codes these are.
std::string infos_text(const Forest& forest, const std::vector<std::string>& names) {
  const CategoryColumns columns = category_columns(forest);
  std::vector<std::string> infos;
  for (std::size_t i = 0; i < columns.features.size(); ++i) {
    std::vector<std::size_t> codes(columns.num_codes[i]);
    std::iota(codes.begin(), codes.end(), std::size_t{0});
    infos.push_back(fmt::format(R"({}:{{"min_value":0,"max_value":{},"values":[{}]}})",
                                names[columns.features[i]], codes.empty() ? 0 : codes.size() - 1,
                                fmt::join(codes, ",")));
  }
  return fmt::format("{}", fmt::join(infos, ","));
}

std::string tree_text(const Tree& tree, std::size_t number) {
  std::string text = fmt::format(
      R"({{"tree_index":{},"num_leaves":{},"num_cat":{},"shrinkage":1,"tree_structure":)", number,
      tree.num_leaves(), std::ranges::count_if(tree.nodes, &TreeNode::asks_category));
  write_nested_tree(
      text, tree, [&](NestedPlace at) { return inner_text(tree, at.index); },
      [&](NestedPlace at) {
        return fmt::format(R"({{"leaf_index":{},"leaf_value":{}{}{}}})", at.index,
                           tree.leaf_values[at.index],
                           statistic_text("leaf_weight", tree.statistics.leaf_weight, at.index),
                           statistic_text("leaf_count", tree.statistics.leaf_count, at.index));
      });
  return text + "}";
}

}  // namespace

Model read_lightgbm_dump(std::string_view text) {
  const Json document = parse_json_text(text, kMostNestedLevels);
  refuse_more_scores(document);
  ForestParts parts;
  const double max_feature = number_member(document, "max_feature_idx");
  if (!(max_feature >= -1 && max_feature <= 4e9)) {
    fail(ErrorKind::kInput, "max_feature_idx {} is not the number of a feature", max_feature);
  }
  parts.num_features = static_cast<std::size_t>(max_feature + 1);
  parts.feature_names = texts_of(document, "feature_names");
  if (parts.feature_names.size() != parts.num_features) {
    fail(ErrorKind::kInput, "feature_names has {} names for {} features",
         parts.feature_names.size(), parts.num_features);
  }
  if (document.contains("objective")) parts.objective = text_value(document, "objective");
  for (const Json& info : array_member(document, "tree_info")) {
    try {
      parts.trees.push_back(read_nested_tree(member(info, "tree_structure"), [](const Json& json) {
        return look_at_structure(json);
      }));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", parts.trees.size()));
      throw;
    }
  }
  if (flag_of(document, "average_output")) {
    for (Tree& tree : parts.trees) {
      for (double& value : tree.leaf_values) value /= static_cast<double>(parts.trees.size());
    }
  }
  Provenance provenance = {{"format", "lightgbm dump"}};
  read_category_names(document, parts, provenance);
  return {.body = Forest(std::move(parts)), .provenance = std::move(provenance)};
}

std::string write_lightgbm_dump(const Model& model) {
  const Forest forest = require_forest(model, "a LightGBM dump");
  std::vector<std::string> names;
  for (std::size_t f = 0; f < forest.num_features(); ++f) {
    names.push_back(json_string(forest.feature_names().empty() ? fmt::format("Column_{}", f)
                                                               : forest.feature_names()[f]));
  }
  std::string text = fmt::format(
      R"({{"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,"label_index":0,)"
      R"("max_feature_idx":{},"objective":{},"average_output":false,"feature_names":[{}],)"
      R"("monotone_constraints":[],"feature_infos":{{{}}},"tree_info":[)",
      static_cast<std::int64_t>(forest.num_features()) - 1,
      json_string(lightgbm_objective(forest.objective())), fmt::join(names, ","),
      infos_text(forest, names));
  std::size_t number = 0;
  if (has_constant_tree(forest)) {
    text +=
        tree_text({.nodes = {}, .leaf_values = {forest.base_score()}, .statistics = {}}, number++);
  }
  for (const Tree& tree : forest.trees()) {
    text += number == 0 ? "" : ",\n";
    text += tree_text(tree, number++);
  }
  return text + fmt::format("],\"feature_importances\":{{}},\"pandas_categorical\":{}}}\n",
                            pandas_categorical_of(forest));
}

}  // namespace glassrank
