#include "glassrank/models/forest/tree_json.h"

#include <algorithm>
#include <cmath>

#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/forest/tree_text.h"

namespace glassrank {
namespace {

Json child_json(std::int32_t child) {
  return child < 0 ? Json{{"leaf", ~child}} : Json{{"node", child}};
}

Json threshold_json(float threshold) {
  if (std::isinf(threshold)) return threshold > 0 ? "inf" : "-inf";
  return threshold;
}

// Names where there are some, else codes.
Json categories_json(const CategorySet& set, std::span<const std::string> names) {
  Json json = Json::array();
  for (const std::uint32_t code : set.codes()) {
    if (code < names.size()) {
      json.push_back(names[code]);
    } else {
      json.push_back(code);
    }
  }
  return json;
}

template <typename T>
void add(Json& json, const char* key, const std::vector<T>& values, std::size_t index) {
  if (!values.empty()) json[key] = values[index];
}

}  // namespace

Json tree_json(const Forest& forest, std::size_t number, std::span<const std::string> names) {
  const Tree& tree = tree_of(forest, number);
  Json nodes = Json::array();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const TreeNode& node = tree.nodes[n];
    Json json = {{"feature", node.feature},
                 {"name", names[node.feature]},
                 {"threshold", threshold_json(node.threshold)},
                 {"missing", node.missing_left ? "left" : "right"},
                 {"zero_is_missing", node.zero_is_missing},
                 {"left", child_json(node.left)},
                 {"right", child_json(node.right)}};
    if (node.asks_category()) {
      json.erase("threshold");
      json["categories"] =
          categories_json(node.categories, names_of(forest.categories(), node.feature));
    }
    add(json, "gain", tree.statistics.node_gain, n);
    add(json, "value", tree.statistics.node_value, n);
    add(json, "weight", tree.statistics.node_weight, n);
    add(json, "documents", tree.statistics.node_count, n);
    nodes.push_back(std::move(json));
  }
  Json leaves = Json::array();
  for (std::size_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    Json json = {{"value", tree.leaf_values[leaf]}};
    add(json, "weight", tree.statistics.leaf_weight, leaf);
    add(json, "documents", tree.statistics.leaf_count, leaf);
    leaves.push_back(std::move(json));
  }
  return {{"tree", number},
          {"depth", std::ranges::max(leaf_depths(tree))},
          {"nodes", std::move(nodes)},
          {"leaves", std::move(leaves)}};
}

}  // namespace glassrank
