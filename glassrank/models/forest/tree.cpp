#include "glassrank/models/forest/tree.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check_length(const char* what, std::size_t length, std::size_t expected) {
  if (length != 0 && length != expected) {
    fail(ErrorKind::kInput, "{} {} values for {} of them", length, what, expected);
  }
}

// Marks a child as met; a child met twice is shared or closes a cycle.
void visit_child(std::int32_t child, std::size_t parent, std::vector<bool>& node_met,
                 std::vector<bool>& leaf_met) {
  const bool is_leaf = child < 0;
  const auto index = static_cast<std::size_t>(is_leaf ? ~child : child);
  std::vector<bool>& met = is_leaf ? leaf_met : node_met;
  if (index >= met.size()) {
    fail(ErrorKind::kInput, "node {}: child {} {} is beyond the {} there are", parent,
         is_leaf ? "leaf" : "node", index, met.size());
  }
  if (met[index]) {
    fail(ErrorKind::kInput,
         "node {}: child {} {} is already the child of another node or its own "
         "ancestor",
         parent, is_leaf ? "leaf" : "node", index);
  }
  met[index] = true;
}

}  // namespace

bool goes_left(const TreeNode& node, float value) {
  if (node.asks_category()) {
    return std::isnan(value) ? node.missing_left : node.categories.contains(value);
  }
  const bool missing =
      std::isnan(value) || (node.zero_is_missing && std::abs(value) <= kZeroThreshold);
  return missing ? node.missing_left : value <= node.threshold;
}

std::size_t leaf_of(const Tree& tree, std::span<const float> row) {
  if (tree.nodes.empty()) return 0;
  std::int32_t at = 0;
  while (at >= 0) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
    const float value = node.feature < row.size() ? row[node.feature] : std::nanf("");
    at = goes_left(node, value) ? node.left : node.right;
  }
  return static_cast<std::size_t>(~at);
}

bool has_categories(std::span<const Tree> trees) {
  return std::ranges::any_of(trees, [](const Tree& tree) {
    return std::ranges::any_of(tree.nodes, &TreeNode::asks_category);
  });
}

std::vector<std::uint32_t> features_of(const Tree& tree) { return features_of({&tree, 1}); }

std::vector<std::uint32_t> features_of(std::span<const Tree> trees) {
  std::vector<std::uint32_t> features;
  for (const Tree& tree : trees) {
    for (const TreeNode& node : tree.nodes) features.push_back(node.feature);
  }
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

void validate(const Tree& tree, std::size_t num_features) {
  const std::size_t num_nodes = tree.nodes.size();
  if (tree.leaf_values.size() != num_nodes + 1) {
    fail(ErrorKind::kInput, "{} leaves for {} nodes; there must be one more leaf than nodes",
         tree.leaf_values.size(), num_nodes);
  }
  std::vector<bool> node_met(num_nodes);
  std::vector<bool> leaf_met(num_nodes + 1);
  if (num_nodes > 0) node_met[0] = true;
  // Every node and leaf but the root is met exactly once: with one leaf more than nodes that makes
  // a forest of one tree and cycles; a cycle would leave a node unreached from the root.
  for (std::size_t n = 0; n < num_nodes; ++n) {
    const TreeNode& node = tree.nodes[n];
    if (std::isnan(node.threshold)) fail(ErrorKind::kInput, "node {}: threshold is NaN", n);
    if (node.asks_category() && node.zero_is_missing) {
      fail(ErrorKind::kInput,
           "node {}: zero cannot count as missing where categories are asked for", n);
    }
    if (node.feature >= num_features) {
      fail(ErrorKind::kInput, "node {}: feature {} of a model with {} features", n, node.feature,
           num_features);
    }
    visit_child(node.left, n, node_met, leaf_met);
    visit_child(node.right, n, node_met, leaf_met);
  }
  std::vector<std::int32_t> stack = {0};
  std::size_t num_reached = 0;
  while (num_nodes > 0 && !stack.empty()) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(stack.back())];
    stack.pop_back();
    ++num_reached;
    if (node.left >= 0) stack.push_back(node.left);
    if (node.right >= 0) stack.push_back(node.right);
  }
  if (num_reached != num_nodes) {
    fail(ErrorKind::kInput, "only {} of {} nodes hang on the root; the others form a cycle",
         num_reached, num_nodes);
  }
  for (std::size_t leaf = 0; leaf < tree.leaf_values.size(); ++leaf) {
    if (!std::isfinite(tree.leaf_values[leaf])) {
      fail(ErrorKind::kInput, "leaf {}: value {} is not finite", leaf, tree.leaf_values[leaf]);
    }
  }
  const TreeStatistics& s = tree.statistics;
  check_length("node gains", s.node_gain.size(), num_nodes);
  check_length("node values", s.node_value.size(), num_nodes);
  check_length("node weights", s.node_weight.size(), num_nodes);
  check_length("node counts", s.node_count.size(), num_nodes);
  check_length("leaf weights", s.leaf_weight.size(), num_nodes + 1);
  check_length("leaf counts", s.leaf_count.size(), num_nodes + 1);
}

}  // namespace glassrank
