#include "glassrank/models/io/solr_json.h"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/missing_rules.h"
#include "glassrank/models/io/nested_tree.h"
#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {
namespace {

constexpr std::string_view kSolrClass = "org.apache.solr.ltr.model.MultipleAdditiveTreesModel";
constexpr float kSplitSlack = 1e-6F;

using Indices = std::map<std::string, std::uint32_t>;

Indices listed_features(const Json& document, std::vector<std::string>& names) {
  Indices indices;
  for (const Json& feature : array_member(document, "features")) {
    names.push_back(text_value(feature, "name"));
    if (feature.contains("norm")) {
      fail(ErrorKind::kInput, "feature '{}' has a normaliser; features as they are are supported",
           names.back());
    }
    indices.emplace(names.back(), static_cast<std::uint32_t>(names.size() - 1));
  }
  return indices;
}

struct SolrTrees {
  Indices features;
  bool null_is_zero = true;
};

NestedNode look_at_solr(const Json& json, const SolrTrees& trees, double weight) {
  NestedNode found;
  if (json.is_object() && json.contains("value")) {
    found.value = weight * double{float_member(json, "value")};
    return found;
  }
  const std::string name = text_value(json, "feature");
  const auto feature = trees.features.find(name);
  if (feature == trees.features.end()) {
    fail(ErrorKind::kInput, "feature '{}' is not in the list of features", name);
  }
  found.node = {.feature = feature->second,
                .threshold = float_member(json, "threshold") + kSplitSlack};
  found.node.missing_left = trees.null_is_zero && 0.0F <= found.node.threshold;
  if (!trees.null_is_zero) {
    const bool is_said = json.contains("missing");
    found.node.missing_left = is_said && text_value(json, "missing") == "left";
  }
  found.left = &member(json, "left");
  found.right = &member(json, "right");
  return found;
}

// The t whose t + slack, in float32, is the threshold, or else the nearest below.
float without_slack(float threshold) {
  if (std::isinf(threshold)) return threshold;
  float t = threshold - kSplitSlack;
  // Rounding leaves it a few steps away at most.
  for (int step = 0; step < 4 && t + kSplitSlack < threshold; ++step) {
    t = std::nextafter(t, HUGE_VALF);
  }
  while (t + kSplitSlack > threshold) t = std::nextafter(t, -HUGE_VALF);
  return t;
}

void warn_of_shifted(const Forest& forest, const Context& context) {
  std::size_t num_nodes = 0;
  std::size_t num_shifted = 0;
  for (const Tree& tree : forest.trees()) {
    num_nodes += tree.nodes.size();
    for (const TreeNode& node : tree.nodes) {
      num_shifted += without_slack(node.threshold) + kSplitSlack != node.threshold ? 1 : 0;
    }
  }
  if (num_shifted == 0) return;
  context.warn(
      fmt::format("Solr adds 1e-6 to thresholds: {} of {} nodes near 0 get one that is up to 1e-13 "
                  "lower",
                  num_shifted, num_nodes));
}

std::string solr_number(float value) {
  // Java's word.
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return fmt::format("\"{}\"", value);
}

std::string solr_tree(const Tree& tree, const std::vector<std::string>& names) {
  std::string text = R"({"weight":"1","root":)";
  write_nested_tree(
      text, tree,
      [&](NestedPlace at) {
        const TreeNode& node = tree.nodes[at.index];
        NestedText around{.between = ",\"right\":", .behind = "}"};
        around.before = fmt::format(R"({{"feature":{},"threshold":{},"left":)", names[node.feature],
                                    solr_number(without_slack(node.threshold)));
        return around;
      },
      [&](NestedPlace at) {
        const auto value = static_cast<float>(tree.leaf_values[at.index]);
        if (!std::isfinite(value)) {
          fail(ErrorKind::kInput, "leaf {}: value {} is beyond float32", at.index,
               tree.leaf_values[at.index]);
        }
        return fmt::format("{{\"value\":\"{}\"}}", value);
      });
  return text + "}";
}

}  // namespace

Model read_solr_json(std::string_view text) {
  const Json document = parse_json_text(text, kMostNestedLevels);
  if (text_value(document, "class") != kSolrClass) {
    fail(ErrorKind::kInput, "a Solr model of class '{}'; {} is supported",
         text_value(document, "class"), kSolrClass);
  }
  ForestParts parts;
  SolrTrees trees{.features = listed_features(document, parts.feature_names)};
  parts.num_features = parts.feature_names.size();
  const Json& params = member(document, "params");
  const auto null_is_zero = params.find("isNullSameAsZero");
  if (null_is_zero != params.end()) {
    trees.null_is_zero = *null_is_zero != Json(false) && *null_is_zero != Json("false");
  }
  for (const Json& tree : array_member(params, "trees")) {
    try {
      const double weight = double{float_member(tree, "weight")};
      parts.trees.push_back(read_nested_tree(member(tree, "root"), [&](const Json& json) {
        return look_at_solr(json, trees, weight);
      }));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", parts.trees.size()));
      throw;
    }
  }
  if (parts.trees.empty()) fail(ErrorKind::kInput, "the model has no tree");
  return {.body = Forest(std::move(parts)), .provenance = {{"format", "solr"}}};
}

std::string write_solr_json(const Model& model, const Context& context) {
  const Forest forest = require_forest(model, "a Solr model");
  require_comparisons(forest, "Solr");
  require_zeros_compare(forest, "Solr");
  warn_of_lost_missing(forest, NanRule::kAsZero, "Solr", context);
  warn_of_shifted(forest, context);
  const std::vector<std::uint32_t> used = features_of(forest.trees());
  std::vector<std::string> names;
  for (std::size_t f = 0; f < forest.num_features(); ++f) {
    const std::string name =
        forest.feature_names().empty() ? fmt::to_string(f + 1) : forest.feature_names()[f];
    names.push_back(Json(name).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  std::vector<std::string> listed;
  for (const std::uint32_t f : used) listed.push_back(fmt::format("{{\"name\":{}}}", names[f]));
  std::vector<std::string> trees;
  if (has_constant_tree(forest)) {
    trees.push_back(
        solr_tree({.nodes = {}, .leaf_values = {forest.base_score()}, .statistics = {}}, names));
  }
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    try {
      trees.push_back(solr_tree(forest.trees()[t], names));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", t));
      throw;
    }
  }
  return fmt::format(
      "{{\"class\":\"{}\",\"name\":\"glassrank\",\n\"features\":[{}],\n\"params\":{{\"trees\":[\n{}"
      "\n]}}}}\n",
      kSolrClass, fmt::join(listed, ","), fmt::join(trees, ",\n"));
}

}  // namespace glassrank
