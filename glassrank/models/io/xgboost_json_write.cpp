#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/models/io/category_json.h"
#include "glassrank/models/io/missing_rules.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/objective_names.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/model_categories.h"

namespace glassrank {
namespace {

constexpr std::int32_t kNoParent = 2147483647;

// Children of ours (node >= 0, leaf ~child) by XGBoost's ids: breadth first, siblings adjacent.
struct Layout {
  std::vector<std::int32_t> children;  // of every id, ours
  std::vector<std::int32_t> left;      // of every id; -1 at leaves
  std::vector<std::int32_t> parents;
};

Layout lay_out(const Tree& tree) {
  Layout layout;
  layout.children.push_back(tree.nodes.empty() ? ~0 : 0);
  layout.parents.push_back(kNoParent);
  for (std::size_t id = 0; id < layout.children.size(); ++id) {
    const std::int32_t child = layout.children[id];
    if (child < 0) {
      layout.left.push_back(-1);
      continue;
    }
    layout.left.push_back(static_cast<std::int32_t>(layout.children.size()));
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(child)];
    // XGBoost sends the categories of a set right.
    const bool is_swapped = node.asks_category();
    for (const std::int32_t below :
         {is_swapped ? node.right : node.left, is_swapped ? node.left : node.right}) {
      layout.children.push_back(below);
      layout.parents.push_back(static_cast<std::int32_t>(id));
    }
  }
  return layout;
}

// XGBoost takes a number without point and exponent for an integer and refuses it.
void append_json(std::string& out, float value) {
  if (std::isinf(value)) {
    out += value > 0 ? "1e39" : "-1e39";
    return;
  }
  const std::size_t begin = out.size();
  fmt::format_to(std::back_inserter(out), "{}", value);
  if (out.find_first_of(".e", begin) == std::string::npos) out += "e0";
}
void append_json(std::string& out, std::int32_t value) {
  fmt::format_to(std::back_inserter(out), "{}", value);
}
void append_json(std::string& out, std::uint32_t value) {
  fmt::format_to(std::back_inserter(out), "{}", value);
}

// "key":[...], with value(child) for every id.
template <typename Value>
void append_array(std::string& out, std::string_view key, const Layout& layout, Value&& value) {
  fmt::format_to(std::back_inserter(out), "\"{}\":[", key);
  for (std::size_t id = 0; id < layout.children.size(); ++id) {
    if (id > 0) out += ',';
    append_json(out, value(id, layout.children[id]));
  }
  out += "],";
}

float leaf_float(double value, std::int32_t leaf) {
  const auto rounded = static_cast<float>(value);
  if (std::isfinite(rounded)) return rounded;
  fail(ErrorKind::kInput, "leaf {}: value {} is beyond float32", leaf, value);
}

// A statistic of a node or leaf, 0 where it is not known.
float statistic(const std::vector<double>& column, std::int32_t index) {
  if (column.empty()) return 0;
  const auto value = static_cast<float>(column[static_cast<std::size_t>(index)]);
  return std::isnan(value) ? 0 : value;
}

// The sets of all nodes, by id, one after the other.
void append_categories(std::string& out, const Tree& tree, const Layout& layout) {
  std::vector<std::uint32_t> categories;
  std::vector<std::size_t> nodes;
  std::vector<std::size_t> begins;
  std::vector<std::size_t> sizes;
  for (std::size_t id = 0; id < layout.children.size(); ++id) {
    if (layout.children[id] < 0) continue;
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(layout.children[id])];
    if (!node.asks_category()) continue;
    const std::vector<std::uint32_t> codes = node.categories.codes();
    nodes.push_back(id);
    begins.push_back(categories.size());
    sizes.push_back(codes.size());
    categories.insert(categories.end(), codes.begin(), codes.end());
  }
  fmt::format_to(std::back_inserter(out),
                 R"("categories":[{}],"categories_nodes":[{}],"categories_segments":[{}],)"
                 R"("categories_sizes":[{}],)",
                 fmt::join(categories, ","), fmt::join(nodes, ","), fmt::join(begins, ","),
                 fmt::join(sizes, ","));
}

void append_tree(std::string& out, const Tree& tree, std::size_t id, std::size_t num_features) {
  const Layout layout = lay_out(tree);
  const TreeStatistics& known = tree.statistics;
  const auto node_of = [&](std::int32_t child) {
    return child < 0 ? TreeNode{} : tree.nodes[static_cast<std::size_t>(child)];
  };
  const auto leaf_value = [&](std::int32_t child) {
    const std::int32_t leaf = ~child;
    return leaf_float(tree.leaf_values[static_cast<std::size_t>(leaf)], leaf);
  };
  out += '{';
  append_array(out, "base_weights", layout, [&](std::size_t, std::int32_t child) {
    return child < 0 ? leaf_value(child) : statistic(known.node_value, child);
  });
  append_categories(out, tree, layout);
  append_array(out, "default_left", layout, [&](std::size_t, std::int32_t child) {
    const TreeNode node = node_of(child);
    return std::int32_t{node.missing_left != node.asks_category()};
  });
  fmt::format_to(std::back_inserter(out), "\"id\":{},", id);
  append_array(out, "left_children", layout,
               [&](std::size_t i, std::int32_t) { return layout.left[i]; });
  append_array(out, "loss_changes", layout, [&](std::size_t, std::int32_t child) {
    return child < 0 ? 0.0F : statistic(known.node_gain, child);
  });
  append_array(out, "parents", layout,
               [&](std::size_t i, std::int32_t) { return layout.parents[i]; });
  append_array(out, "right_children", layout, [&](std::size_t i, std::int32_t) {
    return layout.left[i] < 0 ? -1 : layout.left[i] + 1;
  });
  append_array(out, "split_conditions", layout, [&](std::size_t, std::int32_t child) {
    if (child < 0) return leaf_value(child);
    const TreeNode node = node_of(child);
    return node.asks_category() ? 0.0F : float_above(node.threshold);
  });
  append_array(out, "split_indices", layout,
               [&](std::size_t, std::int32_t child) { return node_of(child).feature; });
  append_array(out, "split_type", layout, [&](std::size_t, std::int32_t child) {
    return child >= 0 && node_of(child).asks_category() ? 1 : 0;
  });
  append_array(out, "sum_hessian", layout, [&](std::size_t, std::int32_t child) {
    return child < 0 ? statistic(known.leaf_weight, ~child) : statistic(known.node_weight, child);
  });
  fmt::format_to(std::back_inserter(out),
                 R"("tree_param":{{"num_deleted":"0","num_feature":"{}","num_nodes":"{}",)"
                 R"("size_leaf_vector":"1"}}}})",
                 num_features, layout.children.size());
}

std::string trees_text(const Forest& forest) {
  std::string text;
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    if (t > 0) text += ',';
    try {
      append_tree(text, forest.trees()[t], t, forest.num_features());
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", t));
      throw;
    }
  }
  return text;
}

std::string objective_text(const std::string& name) {
  if (name.starts_with("rank:")) {
    return fmt::format(
        R"({{"lambdarank_param":{{"lambdarank_bias_norm":"1","lambdarank_normalization":"1",)"
        R"("lambdarank_num_pair_per_sample":"4294967295","lambdarank_pair_method":"topk",)"
        R"("lambdarank_unbiased":"0","ndcg_exp_gain":"1"}},"name":"{}"}})",
        name);
  }
  return fmt::format(R"({{"name":"{}","reg_loss_param":{{"scale_pos_weight":"1"}}}})", name);
}

// "0,1,2" and "0,0,0": the first tree of every round, the class of every tree.
std::pair<std::string, std::string> round_arrays(std::size_t num_trees) {
  std::string starts = "0";
  std::string classes;
  for (std::size_t t = 0; t < num_trees; ++t) {
    starts += fmt::format(",{}", t + 1);
    classes += t == 0 ? "0" : ",0";
  }
  return {starts, classes};
}

// Columns of text have their numbers for names.
bool has_names(std::span<const std::string> names) {
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (names[f] != fmt::to_string(f) && names[f] != fmt::to_string(f + 1)) return true;
  }
  return false;
}

// Our models of text without those names: XGBoost keeps attributes, and reading back tells that
// column 0 is feature 1.
std::string attributes_text(const Model& model, std::span<const std::string> names) {
  const bool is_read = !provenance_value(model, kXgboostFirstFeature).empty();
  const bool is_one = is_read || (!names.empty() && !has_names(names) && names.front() == "1");
  return is_one ? R"("glassrank_first_feature":"1")" : "";
}

}  // namespace

std::string write_xgboost_json(const Model& model) {
  const Forest forest = require_forest(model, "an XGBoost file");
  require_zeros_compare(forest, "XGBoost");
  Json names = Json::array();
  Json types = Json::array();
  // XGBoost refuses data without names where the model has some, and numbers are none.
  if (has_names(forest.feature_names())) {
    for (const std::string& name : forest.feature_names()) names.push_back(name);
  }
  const std::vector<bool> is_category = category_features(forest);
  const bool any = std::ranges::find(is_category, true) != is_category.end();
  for (std::size_t f = 0; f < forest.num_features() && (any || !names.empty()); ++f) {
    types.push_back(is_category[f] ? "c" : "float");
  }
  const std::string objective = xgboost_objective(forest.objective());
  const double base = xgboost_base_of_raw(xgboost_link(objective), forest.base_score());
  const auto [starts, classes] = round_arrays(forest.trees().size());
  // Older programs pass over what they do not know.
  const std::string categories =
      forest.categories().empty()
          ? ""
          : fmt::format(R"("cats":{},)",
                        xgboost_cats_text(forest.categories(), forest.num_features()));
  const auto replace = Json::error_handler_t::replace;
  std::string text = fmt::format(
      R"({{"learner":{{"attributes":{{{}}},"feature_names":{},"feature_types":{},)"
      R"("gradient_booster":{{"model":{{{}"gbtree_model_param":{{"num_parallel_tree":"1",)"
      R"("num_trees":"{}"}},"iteration_indptr":[{}],"tree_info":[{}],"trees":[)",
      attributes_text(model, forest.feature_names()), names.dump(-1, ' ', false, replace),
      types.dump(), categories, forest.trees().size(), starts, classes);
  text += trees_text(forest);
  fmt::format_to(std::back_inserter(text),
                 R"(]}},"name":"gbtree"}},"learner_model_param":{{"base_score":"{}",)"
                 R"("boost_from_average":"0","num_class":"0","num_feature":"{}",)"
                 R"("num_target":"1"}},"objective":{}}},"version":[3,0,0]}})",
                 static_cast<float>(base), forest.num_features(), objective_text(objective));
  return text;
}

}  // namespace glassrank
