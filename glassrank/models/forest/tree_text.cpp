#include "glassrank/models/forest/tree_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/forest/forest_summary.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxIndent = 40;
constexpr std::size_t kMostInSet = 12;  // categories of a set

struct Place {
  std::int32_t child = 0;
  std::size_t level = 0;
  const char* branch = "";
};

// The categories by name, so many of them.
std::string set_text(const CategorySet& set, std::span<const std::string> names) {
  const std::vector<std::uint32_t> codes = set.codes();
  std::string text;
  for (std::size_t i = 0; i < codes.size() && i < kMostInSet; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", category_text(names, codes[i]));
  }
  if (codes.size() > kMostInSet) text += fmt::format(" and {} more", codes.size() - kMostInSet);
  return text;
}

std::string node_text(const Forest& forest, const Tree& tree, std::size_t n,
                      std::span<const std::string> names) {
  const TreeNode& node = tree.nodes[n];
  std::string text = fmt::format("{}  {}: {}", condition_text(node, names, forest.categories()),
                                 missing_text(node), node.missing_left ? "yes" : "no");
  const TreeStatistics& known = tree.statistics;
  if (!known.node_gain.empty()) text += fmt::format("  gain {:.5g}", known.node_gain[n]);
  if (!known.node_count.empty()) text += fmt::format("  documents {}", known.node_count[n]);
  return text;
}

std::string leaf_text(const Tree& tree, std::size_t leaf) {
  std::string text = fmt::format("{:.6g}", tree.leaf_values[leaf]);
  const auto& counts = tree.statistics.leaf_count;
  if (!counts.empty()) text += fmt::format("  documents {}", counts[leaf]);
  return text;
}

std::string indentation(std::size_t level) {
  if (level <= kMaxIndent) return std::string(2 * level, ' ');
  return fmt::format("{:<{}}", fmt::format("[level {}]", level), 2 * kMaxIndent);
}

}  // namespace

std::string condition_text(const TreeNode& node, std::span<const std::string> names,
                           const CategoryNames& categories) {
  if (node.asks_category()) {
    return fmt::format("{} in {{{}}}", names[node.feature],
                       set_text(node.categories, names_of(categories, node.feature)));
  }
  return fmt::format("{} <= {}", names[node.feature], node.threshold);
}

std::string missing_text(const TreeNode& node) {
  return node.zero_is_missing ? "missing or 0" : "missing";
}

const Tree& tree_of(const Forest& forest, std::size_t tree) {
  if (tree >= forest.trees().size()) {
    fail(ErrorKind::kUsage, "there is no tree {}: the model has {}, counted from 0", tree,
         forest.trees().size());
  }
  return forest.trees()[tree];
}

std::string tree_text(const Forest& forest, std::size_t number,
                      std::span<const std::string> names) {
  const Tree& tree = tree_of(forest, number);
  std::string text = fmt::format("tree {}: {} leaves, depth {}\n", number, tree.num_leaves(),
                                 std::ranges::max(leaf_depths(tree)));
  std::vector<Place> open = {{.child = tree.nodes.empty() ? ~0 : 0}};
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    text += indentation(at.level) + at.branch;
    if (at.child < 0) {
      text += leaf_text(tree, static_cast<std::size_t>(~at.child)) + '\n';
      continue;
    }
    const auto n = static_cast<std::size_t>(at.child);
    text += node_text(forest, tree, n, names) + '\n';
    open.push_back({.child = tree.nodes[n].right, .level = at.level + 1, .branch = "no:  "});
    open.push_back({.child = tree.nodes[n].left, .level = at.level + 1, .branch = "yes: "});
  }
  return text;
}

}  // namespace glassrank
