#include "glassrank/models/forest/forest_summary.h"

#include <algorithm>

namespace glassrank {

std::vector<std::size_t> leaf_depths(const Tree& tree) {
  std::vector<std::size_t> depths(tree.num_leaves());
  std::vector<std::pair<std::int32_t, std::size_t>> open;  // child, its depth
  if (!tree.nodes.empty()) open.emplace_back(0, 0);
  while (!open.empty()) {
    const auto [child, depth] = open.back();
    open.pop_back();
    if (child < 0) {
      depths[static_cast<std::size_t>(~child)] = depth;
      continue;
    }
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(child)];
    open.emplace_back(node.left, depth + 1);
    open.emplace_back(node.right, depth + 1);
  }
  return depths;
}

ForestSummary summarise(const Forest& forest) {
  ForestSummary summary{.num_trees = forest.trees().size(), .has_gains = true, .has_counts = true};
  std::vector<bool> is_used(forest.num_features());
  std::size_t total_depth = 0;
  for (const Tree& tree : forest.trees()) {
    summary.num_leaves += tree.num_leaves();
    summary.most_leaves = std::max(summary.most_leaves, tree.num_leaves());
    for (const std::size_t depth : leaf_depths(tree)) {
      summary.depth = std::max(summary.depth, depth);
      total_depth += depth;
    }
    for (const TreeNode& node : tree.nodes) is_used[node.feature] = true;
    summary.has_gains &= tree.statistics.node_gain.size() == tree.nodes.size();
    summary.has_counts &=
        tree.nodes.empty() || tree.statistics.leaf_count.size() == tree.num_leaves();
  }
  if (summary.num_leaves > 0) {
    summary.mean_leaf_depth =
        static_cast<double>(total_depth) / static_cast<double>(summary.num_leaves);
  }
  for (std::uint32_t f = 0; f < is_used.size(); ++f) {
    (is_used[f] ? summary.used : summary.unused).push_back(f);
  }
  return summary;
}

}  // namespace glassrank
