#include "glassrank/models/io/xgboost_dump.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/lacks.h"
#include "glassrank/models/io/missing_rules.h"
#include "glassrank/models/io/nested_tree.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {
namespace {

const Json& child_of_id(const Json& children, double id) {
  for (const Json& child : children) {
    if (number_member(child, "nodeid") == id) return child;
  }
  fail(ErrorKind::kInput, "no child has the nodeid {}", id);
}

// Tells our dumps from XGBoost's. Ours number the splits of a tree, then its leaves; XGBoost gives
// two siblings numbers in a row. Full and small trees may look the same both ways.
class Numbering {
 public:
  void add_leaf(double id) { first_leaf_ = std::min(first_leaf_, id); }
  void add_split(double id, double yes, double no) {
    ++num_splits_;
    last_split_ = std::max(last_split_, id);
    any_apart_ = any_apart_ || std::abs(yes - no) != 1;
  }
  void end_tree() {
    are_split_first_ =
        are_split_first_ && last_split_ == num_splits_ - 1 && first_leaf_ == num_splits_;
    num_splits_ = 0;
    last_split_ = -1;
    first_leaf_ = HUGE_VAL;
  }
  bool is_ours() const { return are_split_first_ && any_apart_; }

 private:
  bool are_split_first_ = true;  // in all trees
  bool any_apart_ = false;       // siblings
  double num_splits_ = 0;        // of this tree
  double last_split_ = -1;
  double first_leaf_ = HUGE_VAL;
};

NestedNode look_at_dump(const Json& json, NamedFeatures& features, Numbering& numbering) {
  NestedNode found;
  found.weight = optional_number(json, "cover");
  if (json.is_object() && json.contains("leaf")) {
    numbering.add_leaf(optional_number(json, "nodeid").value_or(-1));
    found.value = float_member(json, "leaf");
    return found;
  }
  const Json& children = array_member(json, "children");
  if (children.size() != 2) {
    fail(ErrorKind::kInput, "a node has {} children, not 2", children.size());
  }
  const Json& condition = member(json, "split_condition");
  if (condition.is_array()) fail(ErrorKind::kInput, "splits on categories are not supported");
  const double yes = number_member(json, "yes");
  const float below = float_member(json, "split_condition");
  if (below == -HUGE_VALF) fail(ErrorKind::kInput, "nothing is below a condition of -inf");
  found.left = &child_of_id(children, yes);
  found.right = &child_of_id(children, number_member(json, "no"));
  if (found.left == found.right) fail(ErrorKind::kInput, "'yes' and 'no' are the same child");
  numbering.add_split(optional_number(json, "nodeid").value_or(-1), yes, number_member(json, "no"));
  const Json& split = member(json, "split");
  found.node = {.feature = features.index_of(split.is_string() ? split.get<std::string>()
                                                               : fmt::format("f{}", split.dump())),
                .threshold = float_below(below)};
  // Where data had no missing values, older versions leave it out: they go right.
  found.node.missing_left = optional_number(json, "missing").value_or(yes + 1) == yes;
  found.gain = optional_number(json, "gain");
  return found;
}

// XGBoost's default for a name: the number of the column.
std::string name_of_split(const Forest& forest, std::uint32_t feature) {
  if (forest.feature_names().empty()) return fmt::format("f{}", feature);
  return forest.feature_names()[feature];
}

std::string float_text(float value) {
  if (std::isinf(value)) return value > 0 ? "1e39" : "-1e39";
  return fmt::format("{}", value);
}

void append_dump(std::string& out, const Forest& forest, const Tree& tree) {
  const auto id_of = [&](std::int32_t child) {
    return child >= 0 ? static_cast<std::size_t>(child)
                      : tree.nodes.size() + static_cast<std::size_t>(~child);
  };
  const TreeStatistics& known = tree.statistics;
  const auto number = [](std::string_view key, const std::vector<double>& column, std::size_t i) {
    return column.empty() ? std::string() : fmt::format(",\"{}\":{}", key, column[i]);
  };
  write_nested_tree(
      out, tree,
      [&](NestedPlace at) {
        const TreeNode& node = tree.nodes[at.index];
        const std::string name = Json(name_of_split(forest, node.feature))
                                     .dump(-1, ' ', false, Json::error_handler_t::replace);
        NestedText text{.between = ",", .behind = "]}"};
        text.before = fmt::format(
            R"({{"nodeid":{},"depth":{},"split":{},"split_condition":{},"yes":{},"no":{},)"
            R"("missing":{}{}{},"children":[)",
            at.index, at.depth, name, float_text(float_above(node.threshold)), id_of(node.left),
            id_of(node.right), id_of(node.missing_left ? node.left : node.right),
            number("gain", known.node_gain, at.index),
            number("cover", known.node_weight, at.index));
        return text;
      },
      [&](NestedPlace at) {
        const auto value = static_cast<float>(tree.leaf_values[at.index]);
        if (!std::isfinite(value)) {
          fail(ErrorKind::kInput, "leaf {}: value {} is beyond float32", at.index,
               tree.leaf_values[at.index]);
        }
        return fmt::format(R"({{"nodeid":{},"leaf":{}{}}})", tree.nodes.size() + at.index, value,
                           number("cover", known.leaf_weight, at.index));
      });
}

}  // namespace

Model read_xgboost_dump(std::string_view text) {
  const Json document = parse_json_text(text, kMostNestedLevels);
  const Json& dumped = document.is_array() ? document : array_member(document, "splits");
  NamedFeatures features;
  Numbering numbering;
  ForestParts parts;
  if (document.is_object() && document.contains("objective")) {
    parts.objective = text_value(document, "objective");
  }
  for (const Json& tree : dumped) {
    try {
      parts.trees.push_back(read_nested_tree(
          tree, [&](const Json& json) { return look_at_dump(json, features, numbering); }));
      numbering.end_tree();
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", parts.trees.size()));
      throw;
    }
  }
  if (parts.trees.empty()) fail(ErrorKind::kInput, "an XGBoost dump without a tree");
  features.settle(parts);
  Provenance provenance = {{"format", "xgboost dump"}};
  if (!numbering.is_ours()) {
    provenance.emplace_back(kLacks,
                            "a dump has no base_score: if XGBoost wrote this one, scores are lower "
                            "by it than XGBoost's, rankings are the same; save_model keeps it");
  }
  return {.body = Forest(std::move(parts)), .provenance = std::move(provenance)};
}

std::string write_xgboost_dump(const Model& model) {
  const Forest forest = require_forest(model, "an XGBoost dump");
  require_comparisons(forest, "XGBoost's dump");
  require_zeros_compare(forest, "XGBoost");
  std::string text = "[";
  if (has_constant_tree(forest)) {
    const Tree constant{.nodes = {}, .leaf_values = {forest.base_score()}, .statistics = {}};
    append_dump(text, forest, constant);
  }
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    if (text.size() > 1) text += ",\n";
    try {
      append_dump(text, forest, forest.trees()[t]);
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", t));
      throw;
    }
  }
  return text + "]\n";
}

}  // namespace glassrank
