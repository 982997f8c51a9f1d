#include "glassrank/models/io/xgboost_json.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/category_json.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/objective_names.h"

namespace glassrank {
namespace {

std::string text_member(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_string()) fail(ErrorKind::kInput, "'{}' is not a text", key);
  return value.get<std::string>();
}

// Parameters are numbers inside strings; plain numbers are taken too.
std::string param_member(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::uint64_t count_member(const Json& object, std::string_view key) {
  const std::string text = param_member(object, key);
  std::uint64_t count = 0;
  if (!parse_number(text, count)) fail(ErrorKind::kInput, "'{}': '{}' is not a count", key, text);
  return count;
}

float base_score_member(const Json& params) {
  std::string text = param_member(params, "base_score");
  std::string_view number = trim_blanks(text);
  if (number.starts_with('[') && number.ends_with(']')) {
    number = trim_blanks(number.substr(1, number.size() - 2));
  }
  float value = 0;
  if (!parse_number(number, value)) {
    fail(ErrorKind::kInput, "base_score '{}' is not one number", text);
  }
  return value;
}

// The numbers of an array as T; booleans count as 0 and 1.
template <typename T>
std::vector<T> numbers(const Json& object, std::string_view key, std::size_t size) {
  const Json& array = array_member(object, key);
  if (array.size() != size) {
    fail(ErrorKind::kInput, "{} has {} values, not {}", key, array.size(), size);
  }
  std::vector<T> values;
  values.reserve(size);
  for (const Json& item : array) {
    if (item.is_boolean()) {
      values.push_back(item.get<bool>() ? T{1} : T{0});
      continue;
    }
    if (!item.is_number()) fail(ErrorKind::kInput, "{} holds {}, not a number", key, item.dump());
    if constexpr (std::is_same_v<T, float>) {
      // Beyond float32 is infinity, not undefined.
      const double value = item.get<double>();
      constexpr double kMax = std::numeric_limits<float>::max();
      if (std::abs(value) > kMax) {
        values.push_back(value > 0 ? HUGE_VALF : -HUGE_VALF);
      } else {
        values.push_back(static_cast<float>(value));
      }
    } else if constexpr (std::is_integral_v<T>) {
      constexpr auto kMin = static_cast<double>(std::numeric_limits<T>::min());
      constexpr auto kMax = static_cast<double>(std::numeric_limits<T>::max());
      const double value = item.is_number_integer() ? item.get<double>() : HUGE_VAL;
      if (value < kMin || value > kMax) {
        fail(ErrorKind::kInput, "{} holds {}, which is not possible there", key, item.dump());
      }
      values.push_back(static_cast<T>(value));
    } else {
      values.push_back(item.get<T>());
    }
  }
  return values;
}

template <typename T>
std::vector<T> optional_numbers(const Json& object, std::string_view key, std::size_t size) {
  const auto found = object.find(key);
  if (found == object.end() || (found->is_array() && found->empty())) return {};
  return numbers<T>(object, key, size);
}

// What holds the trees, also of dart.
const Json& tree_model(const Json& booster) {
  return member(booster.contains("gbtree") ? booster["gbtree"] : booster, "model");
}

struct RawTree {
  std::vector<std::int32_t> left;
  std::vector<std::int32_t> right;
  std::vector<std::uint32_t> features;
  std::vector<float> conditions;
  std::vector<std::uint8_t> default_left;
  std::vector<double> gains;
  std::vector<double> values;
  std::vector<double> hessians;
  std::vector<CategorySet> sets;  // by id; empty, or those of splits on categories
};

// Node categories_nodes[i] asks for categories_sizes[i] categories, from categories_segments[i] on.
std::vector<CategorySet> read_sets(const Json& tree, std::size_t num_nodes) {
  const auto types = optional_numbers<std::uint32_t>(tree, "split_type", num_nodes);
  if (std::ranges::all_of(types, [](std::uint32_t type) { return type == 0; })) return {};
  const std::size_t num_sets = array_member(tree, "categories_nodes").size();
  const auto nodes = numbers<std::uint32_t>(tree, "categories_nodes", num_sets);
  const auto begins = numbers<std::uint32_t>(tree, "categories_segments", num_sets);
  const auto sizes = numbers<std::uint32_t>(tree, "categories_sizes", num_sets);
  const auto codes =
      numbers<std::uint32_t>(tree, "categories", array_member(tree, "categories").size());
  std::vector<CategorySet> sets(num_nodes);
  for (std::size_t s = 0; s < num_sets; ++s) {
    if (nodes[s] >= num_nodes || std::uint64_t{begins[s]} + sizes[s] > codes.size()) {
      fail(ErrorKind::kInput, "the categories of node {} are out of range", nodes[s]);
    }
    sets[nodes[s]] = CategorySet(std::span(codes).subspan(begins[s], sizes[s]));
  }
  for (std::size_t id = 0; id < num_nodes; ++id) {
    if (types[id] > 1) fail(ErrorKind::kInput, "split_type {} is not known", types[id]);
    if (types[id] == 1 && !sets[id].exists()) {
      fail(ErrorKind::kInput, "node {} asks for categories and has none", id);
    }
    if (types[id] == 0) sets[id] = {};
  }
  return sets;
}

RawTree read_raw_tree(const Json& tree) {
  const std::size_t num_nodes = array_member(tree, "left_children").size();
  if (num_nodes == 0) fail(ErrorKind::kInput, "a tree has at least one node");
  const auto vector_size = tree.contains("tree_param")
                               ? count_member(tree["tree_param"], "size_leaf_vector")
                               : std::uint64_t{0};
  if (vector_size > 1) fail(ErrorKind::kInput, "leaves with several values are not supported");
  return {.left = numbers<std::int32_t>(tree, "left_children", num_nodes),
          .right = numbers<std::int32_t>(tree, "right_children", num_nodes),
          .features = numbers<std::uint32_t>(tree, "split_indices", num_nodes),
          .conditions = numbers<float>(tree, "split_conditions", num_nodes),
          .default_left = numbers<std::uint8_t>(tree, "default_left", num_nodes),
          .gains = optional_numbers<double>(tree, "loss_changes", num_nodes),
          .values = optional_numbers<double>(tree, "base_weights", num_nodes),
          .hessians = optional_numbers<double>(tree, "sum_hessian", num_nodes),
          .sets = read_sets(tree, num_nodes)};
}

// Which ids hang on the root; nodes deleted by pruning do not. Throws on shared or cyclic children.
std::vector<bool> reachable(const RawTree& raw) {
  std::vector<bool> met(raw.left.size());
  met[0] = true;
  std::vector<std::size_t> stack = {0};
  while (!stack.empty()) {
    const std::size_t id = stack.back();
    stack.pop_back();
    if (raw.left[id] == -1) continue;
    for (const std::int32_t child : {raw.left[id], raw.right[id]}) {
      const auto index = static_cast<std::size_t>(child);
      if (child < 0 || index >= met.size()) {
        fail(ErrorKind::kInput, "node {}: child {} is not one of the {} nodes", id, child,
             met.size());
      }
      if (met[index]) {
        fail(ErrorKind::kInput,
             "node {}: child {} is already the child of another node or its own ancestor", id,
             child);
      }
      met[index] = true;
      stack.push_back(index);
    }
  }
  return met;
}

bool asks_category(const RawTree& raw, std::size_t id) {
  return !raw.sets.empty() && raw.sets[id].exists();
}

TreeNode make_node(const RawTree& raw, std::size_t id) {
  // XGBoost sends the categories of the set right, all others left: our children are swapped.
  if (asks_category(raw, id)) {
    return {.feature = raw.features[id],
            .missing_left = raw.default_left[id] == 0,
            .categories = raw.sets[id]};
  }
  const float condition = raw.conditions[id];
  if (condition == -HUGE_VALF) {
    fail(ErrorKind::kInput, "node {}: nothing is below a condition of -inf", id);
  }
  return {.feature = raw.features[id],
          .threshold = float_below(condition),
          .missing_left = raw.default_left[id] != 0};
}

// Ours: inner nodes and leaves numbered apart, each in order of XGBoost's ids.
Tree make_tree(const RawTree& raw, double weight) {
  const std::vector<bool> met = reachable(raw);
  std::vector<std::int32_t> child_of_id(met.size());
  std::int32_t num_nodes = 0;
  std::int32_t num_leaves = 0;
  for (std::size_t id = 0; id < met.size(); ++id) {
    if (!met[id]) continue;
    child_of_id[id] = raw.left[id] == -1 ? ~num_leaves++ : num_nodes++;
  }
  Tree tree;
  for (std::size_t id = 0; id < met.size(); ++id) {
    if (!met[id]) continue;
    if (raw.left[id] == -1) {
      tree.leaf_values.push_back(raw.conditions[id] * weight);
      if (!raw.hessians.empty()) tree.statistics.leaf_weight.push_back(raw.hessians[id]);
      continue;
    }
    TreeNode node = make_node(raw, id);
    node.left = child_of_id[static_cast<std::size_t>(raw.left[id])];
    node.right = child_of_id[static_cast<std::size_t>(raw.right[id])];
    if (asks_category(raw, id)) std::swap(node.left, node.right);
    tree.nodes.push_back(node);
    if (!raw.gains.empty()) tree.statistics.node_gain.push_back(raw.gains[id]);
    if (!raw.values.empty()) tree.statistics.node_value.push_back(raw.values[id]);
    if (!raw.hessians.empty()) tree.statistics.node_weight.push_back(raw.hessians[id]);
  }
  return tree;
}

std::vector<Tree> read_trees(const Json& booster) {
  const std::string name = text_member(booster, "name");
  if (name != "gbtree" && name != "dart") {
    fail(ErrorKind::kInput, "booster '{}' is not supported; gbtree and dart are", name);
  }
  const bool is_dart = name == "dart";
  const Json& model = member(is_dart ? member(booster, "gbtree") : booster, "model");
  const Json& trees = array_member(model, "trees");
  std::vector<double> weights(trees.size(), 1.0);
  if (is_dart) weights = numbers<double>(booster, "weight_drop", trees.size());
  std::vector<Tree> made;
  for (const Json& tree : trees) {
    try {
      made.push_back(make_tree(read_raw_tree(tree), weights[made.size()]));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", made.size()));
      throw;
    }
  }
  const auto params = model.find("gbtree_model_param");
  if (params != model.end() && count_member(*params, "num_trees") != made.size()) {
    fail(ErrorKind::kInput, "num_trees says {}, the model has {}",
         count_member(*params, "num_trees"), made.size());
  }
  return made;
}

void refuse_several_outputs(const Json& params) {
  for (const std::string_view key : {"num_class", "num_target"}) {
    if (params.contains(key) && count_member(params, key) > 1) {
      fail(ErrorKind::kInput, "{} is {}: only models with one score per row are supported", key,
           count_member(params, key));
    }
  }
}

// Training that stopped early goes on writing: the file holds the rounds after the best one too.
// XGBRanker.predict leaves them out, and so do we.
struct BestRound {
  std::uint64_t round = 0;  // counted from 0
  std::size_t num_trees = 0;
};

std::optional<BestRound> best_round(const Json& learner) {
  const auto attributes = learner.find("attributes");
  if (attributes == learner.end() || !attributes->is_object()) return std::nullopt;
  if (!attributes->contains("best_iteration")) return std::nullopt;
  const std::uint64_t round = count_member(*attributes, "best_iteration");
  const Json& model = tree_model(member(learner, "gradient_booster"));
  const auto params = model.find("gbtree_model_param");
  const bool has_parallel = params != model.end() && params->contains("num_parallel_tree");
  const std::uint64_t parallel = has_parallel ? count_member(*params, "num_parallel_tree") : 1;
  const std::size_t all = array_member(model, "trees").size();
  const bool is_within = parallel > 0 && round < all / parallel;
  return BestRound{.round = round, .num_trees = is_within ? (round + 1) * parallel : all};
}

std::string version_text(const Json& document) {
  const auto found = document.find("version");
  if (found == document.end() || !found->is_array()) return "xgboost";
  std::vector<std::string> parts;
  for (const Json& part : *found) parts.push_back(part.dump());
  return fmt::format("xgboost {}", fmt::join(parts, "."));
}

Model make_model(const Json& document, const ModelReadParams& read) {
  if (!document.is_object() || !document.contains("learner")) {
    fail(ErrorKind::kInput,
         "not an XGBoost model: 'learner' is missing; save it with save_model, not dump_model");
  }
  const Json& learner = member(document, "learner");
  const Json& params = member(learner, "learner_model_param");
  refuse_several_outputs(params);
  ForestParts parts;
  parts.objective = text_member(member(learner, "objective"), "name");
  parts.base_score = xgboost_raw_base(xgboost_link(parts.objective), base_score_member(params));
  parts.num_features = count_member(params, "num_feature");
  if (learner.contains("feature_names")) {
    for (const Json& name : array_member(learner, "feature_names")) {
      if (!name.is_string()) fail(ErrorKind::kInput, "a feature name is not a text");
      parts.feature_names.push_back(name.get<std::string>());
    }
  }
  parts.trees = read_trees(member(learner, "gradient_booster"));
  const Json& trees = tree_model(member(learner, "gradient_booster"));
  if (trees.contains("cats")) {
    parts.categories = read_xgboost_cats(trees["cats"], parts.num_features);
  }
  Provenance provenance = {{"format", version_text(document)}};
  const auto attributes = learner.find("attributes");
  if (attributes != learner.end() && attributes->is_object() &&
      attributes->contains("glassrank_first_feature")) {
    provenance.emplace_back(kXgboostFirstFeature, "1");
  }
  if (const std::optional<BestRound> best = best_round(learner)) {
    provenance.emplace_back("xgboost.best_iteration", fmt::to_string(best->round));
    provenance.emplace_back("xgboost.num_trees", fmt::to_string(parts.trees.size()));
    if (!read.all_trees) parts.trees.resize(best->num_trees);
  }
  return {.body = Forest(std::move(parts)), .provenance = std::move(provenance)};
}

}  // namespace

Model read_xgboost_json(std::string_view text, const ModelReadParams& read) {
  return make_model(parse_json_text(text), read);
}
Model read_xgboost_ubjson(std::string_view bytes, const ModelReadParams& read) {
  return make_model(parse_ubjson(bytes), read);
}

}  // namespace glassrank
