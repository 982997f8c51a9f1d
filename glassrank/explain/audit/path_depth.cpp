#include "glassrank/explain/audit/path_depth.h"

#include <cmath>
#include <map>

#include "glassrank/math/rank_correlation.h"

namespace glassrank {
namespace {

std::size_t splits_passed(const Tree& tree, std::span<const float> row) {
  if (tree.nodes.empty()) return 0;
  std::size_t passed = 0;
  for (std::int32_t at = 0; at >= 0; ++passed) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
    const float value = node.feature < row.size() ? row[node.feature] : std::nanf("");
    at = goes_left(node, value) ? node.left : node.right;
  }
  return passed;
}

}  // namespace

void DepthGroup::visit(ResultVisitor& visitor) const {
  visitor.field("depth", depth, "splits on the way to a leaf, mean over the trees, rounded");
  visitor.object("values", values, "of the measure over the documents of this depth");
}

void DepthAnalysis::visit(ResultVisitor& visitor) const {
  visitor.field("correlation", correlation, "Spearman's, of depth and measure over documents");
  visitor.list("groups", groups, "documents by depth");
}

double path_depth(const Forest& forest, std::span<const float> row) {
  if (forest.trees().empty()) return 0;
  std::size_t passed = 0;
  for (const Tree& tree : forest.trees()) passed += splits_passed(tree, row);
  return static_cast<double>(passed) / static_cast<double>(forest.trees().size());
}

DepthAnalysis by_path_depth(std::span<const double> depths, std::span<const double> values) {
  std::vector<double> kept_depths;
  std::vector<double> kept_values;
  std::map<std::size_t, std::vector<double>> groups;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    if (std::isnan(depths[i]) || std::isnan(values[i])) continue;
    kept_depths.push_back(depths[i]);
    kept_values.push_back(values[i]);
    groups[static_cast<std::size_t>(std::lround(depths[i]))].push_back(values[i]);
  }
  DepthAnalysis analysis{.correlation = spearman(kept_depths, kept_values), .groups = {}};
  for (const auto& [depth, group] : groups) {
    analysis.groups.push_back({.depth = depth, .values = box_summary(group)});
  }
  return analysis;
}

}  // namespace glassrank
