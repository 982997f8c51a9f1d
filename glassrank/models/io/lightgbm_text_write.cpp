#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/models/io/lightgbm_categories.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/objective_names.h"

namespace glassrank {
namespace {

constexpr int kCategorical = 1;
constexpr int kMissingZero = 1 << 2;
constexpr int kMissingNan = 2 << 2;
constexpr std::string_view kProvenancePrefix = "lightgbm.";
constexpr std::string_view kInfosKey = "lightgbm.feature_infos";

void append_value(std::string& out, double value) {
  fmt::format_to(std::back_inserter(out), "{:.17g}", value);
}
template <std::integral T>
void append_value(std::string& out, T value) {
  fmt::format_to(std::back_inserter(out), "{}", value);
}

// "key=v v v", each value taken from an item.
template <typename Items, typename Value>
void append_line(std::string& out, std::string_view key, const Items& items, Value&& value) {
  out += key;
  char separator = '=';
  for (const auto& item : items) {
    out += separator;
    append_value(out, value(item));
    separator = ' ';
  }
  if (separator == '=') out += separator;
  out += '\n';
}
template <typename Items>
void append_line(std::string& out, std::string_view key, const Items& items) {
  append_line(out, key, items, [](const auto& item) { return item; });
}

// Left out where it is not known: LightGBM takes an empty list for a known one. A tree of one leaf
// has the lines all the same.
template <typename T>
void append_statistic(std::string& out, const Tree& tree, std::string_view key,
                      const std::vector<T>& values) {
  if (!values.empty() || tree.nodes.empty()) append_line(out, key, values);
}

int decision_type(const TreeNode& node) {
  if (node.asks_category()) return kCategorical | kMissingNan;
  return (node.zero_is_missing ? kMissingZero : kMissingNan) |
         (node.missing_left ? kLightgbmDefaultLeft : 0);
}

// The sets of a tree as cat_boundaries and cat_threshold; a node's threshold is the set's number.
struct WrittenSets {
  std::vector<std::uint64_t> boundaries = {0};
  std::vector<std::uint32_t> words;
  std::vector<double> thresholds;  // of every node

  explicit WrittenSets(const Tree& tree) {
    for (const TreeNode& node : tree.nodes) {
      if (!node.asks_category()) {
        thresholds.push_back(node.threshold);
        continue;
      }
      thresholds.push_back(static_cast<double>(size()));
      const std::size_t begin = words.size();
      for (const std::uint32_t code : node.categories.codes()) {
        words.resize(std::max<std::size_t>(words.size(), begin + code / 32 + 1));
        words[begin + code / 32] |= 1U << (code % 32);
      }
      // LightGBM expects a word of every set.
      if (words.size() == begin) words.push_back(0);
      boundaries.push_back(words.size());
    }
  }
  std::size_t size() const { return boundaries.size() - 1; }
};

// One block of the file, from "Tree=" to the two empty lines behind it.
std::string tree_block(const Tree& tree, std::size_t index) {
  const TreeStatistics& statistics = tree.statistics;
  const WrittenSets sets(tree);
  std::string out =
      fmt::format("Tree={}\nnum_leaves={}\nnum_cat={}\n", index, tree.num_leaves(), sets.size());
  append_line(out, "split_feature", tree.nodes, [](const TreeNode& n) { return n.feature; });
  append_statistic(out, tree, "split_gain", statistics.node_gain);
  append_line(out, "threshold", sets.thresholds);
  append_line(out, "decision_type", tree.nodes, decision_type);
  append_line(out, "left_child", tree.nodes, [](const TreeNode& n) { return n.left; });
  append_line(out, "right_child", tree.nodes, [](const TreeNode& n) { return n.right; });
  append_line(out, "leaf_value", tree.leaf_values);
  append_statistic(out, tree, "leaf_weight", statistics.leaf_weight);
  append_statistic(out, tree, "leaf_count", statistics.leaf_count);
  append_statistic(out, tree, "internal_value", statistics.node_value);
  append_statistic(out, tree, "internal_weight", statistics.node_weight);
  append_statistic(out, tree, "internal_count", statistics.node_count);
  if (sets.size() > 0) {
    append_line(out, "cat_boundaries", sets.boundaries);
    append_line(out, "cat_threshold", sets.words);
  }
  out += "is_linear=0\nshrinkage=1\n\n\n";
  return out;
}

std::vector<std::string> names_of(const Forest& forest) {
  std::vector<std::string> names(forest.feature_names().begin(), forest.feature_names().end());
  for (std::size_t f = names.size(); f < forest.num_features(); ++f) {
    names.push_back(fmt::format("Column_{}", f));
  }
  for (std::string& name : names) {
    std::ranges::replace_if(name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
    if (name.empty()) name.push_back('_');
  }
  return names;
}

struct FeatureUse {
  std::size_t num_splits = 0;
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();
  std::set<std::uint32_t> categories = {};  // some set asks for
};

std::vector<FeatureUse> feature_uses(const Forest& forest) {
  std::vector<FeatureUse> uses(forest.num_features());
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      FeatureUse& use = uses[node.feature];
      ++use.num_splits;
      if (node.asks_category()) {
        const std::vector<std::uint32_t> codes = node.categories.codes();
        use.categories.insert(codes.begin(), codes.end());
        continue;
      }
      use.lowest = std::min(use.lowest, node.threshold);
      use.highest = std::max(use.highest, node.threshold);
    }
  }
  return uses;
}

std::string feature_infos(const Model& model, std::vector<FeatureUse> uses,
                          const CategoryNames& categories) {
  const auto known = std::ranges::find(model.provenance, kInfosKey, &Provenance::value_type::first);
  if (known != model.provenance.end() && split_words(known->second).size() == uses.size()) {
    return known->second;
  }
  // What has names is one of categories, whatever the trees ask.
  for (std::size_t f = 0; f < uses.size(); ++f) {
    const auto num_named = static_cast<std::uint32_t>(glassrank::names_of(categories, f).size());
    for (std::uint32_t code = 0; code < num_named; ++code) uses[f].categories.insert(code);
  }
  std::string infos;
  for (const FeatureUse& use : uses) {
    if (!infos.empty()) infos += ' ';
    if (!use.categories.empty()) {
      infos += fmt::format("{}", fmt::join(use.categories, ":"));
    } else {
      infos += use.num_splits == 0 ? "none" : fmt::format("[{}:{}]", use.lowest, use.highest);
    }
  }
  return infos;
}

// By number of splits, the most used first.
std::string importances(const std::vector<std::string>& names,
                        const std::vector<FeatureUse>& uses) {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < uses.size(); ++f) {
    if (uses[f].num_splits > 0) order.push_back(f);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return uses[a].num_splits != uses[b].num_splits ? uses[a].num_splits > uses[b].num_splits
                                                    : a < b;
  });
  std::string text;
  for (const std::size_t f : order) text += fmt::format("{}={}\n", names[f], uses[f].num_splits);
  return text;
}

std::string parameters(const Model& model) {
  std::string text;
  for (const auto& [key, value] : model.provenance) {
    if (!key.starts_with(kProvenancePrefix) || key == kInfosKey) continue;
    if (key.find('\n') != std::string::npos || value.find('\n') != std::string::npos) continue;
    text += fmt::format("[{}: {}]\n", key.substr(kProvenancePrefix.size()), value);
  }
  return text;
}

}  // namespace

std::string write_lightgbm_text(const Model& model) {
  const Forest forest = require_forest(model, "a LightGBM file");
  std::vector<std::string> blocks;
  if (forest.base_score() != 0) {
    blocks.push_back(
        tree_block({.nodes = {}, .leaf_values = {forest.base_score()}, .statistics = {}}, 0));
  }
  for (const Tree& tree : forest.trees()) blocks.push_back(tree_block(tree, blocks.size()));

  const std::vector<std::string> names = names_of(forest);
  const std::vector<FeatureUse> uses = feature_uses(forest);
  const std::string objective = lightgbm_objective(forest.objective());
  std::string text = fmt::format(
      "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
      "max_feature_idx={}\n",
      static_cast<std::int64_t>(forest.num_features()) - 1);
  if (!objective.empty()) text += fmt::format("objective={}\n", objective);
  text += fmt::format("feature_names={}\n", fmt::join(names, " "));
  text += fmt::format("feature_infos={}\n", feature_infos(model, uses, forest.categories()));
  append_line(text, "tree_sizes", blocks, [](const std::string& block) { return block.size(); });
  text += '\n';
  for (const std::string& block : blocks) text += block;
  text += fmt::format("end of trees\n\nfeature_importances:\n{}\nparameters:\n{}",
                      importances(names, uses), parameters(model));
  text += "\nend of parameters\n";
  if (!forest.categories().empty()) {
    text += fmt::format("\npandas_categorical:{}\n", pandas_categorical_of(forest));
  }
  return text;
}

}  // namespace glassrank
