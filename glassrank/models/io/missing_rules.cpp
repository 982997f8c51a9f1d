#include "glassrank/models/io/missing_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Whether every |x| <= kZeroThreshold goes the way a missing value goes, by comparison alone.
bool zeros_compare(const TreeNode& node) {
  return node.missing_left ? kZeroThreshold <= node.threshold : -kZeroThreshold > node.threshold;
}

}  // namespace

void require_zeros_compare(const Forest& forest, std::string_view format) {
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    const std::vector<TreeNode>& nodes = forest.trees()[t].nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].zero_is_missing || zeros_compare(nodes[n])) continue;
      fail(ErrorKind::kInput,
           "tree {}, node {}: zero counts as missing there, which {} cannot express", t, n, format);
    }
  }
}

void require_comparisons(const Forest& forest, std::string_view format) {
  for (std::size_t t = 0; t < forest.trees().size(); ++t) {
    const std::vector<TreeNode>& nodes = forest.trees()[t].nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].asks_category()) continue;
      fail(ErrorKind::kInput,
           "tree {}, node {}: it asks for categories, which {} cannot express; native, lightgbm, "
           "lightgbm-dump and xgboost files can",
           t, n, format);
    }
  }
}

void warn_of_lost_categories(const Forest& forest, const Context& context) {
  std::size_t num_lost = 0;
  for (const Tree& tree : forest.trees()) {
    num_lost += static_cast<std::size_t>(std::ranges::count_if(
        tree.nodes, [](const auto& node) { return node.asks_category() && node.missing_left; }));
  }
  if (num_lost == 0) return;
  context.warn(fmt::format(
      "LightGBM sends missing categories to the right: {} nodes will send them the other way",
      num_lost));
}

void warn_of_lost_missing(const Forest& forest, NanRule rule, std::string_view format,
                          const Context& context) {
  std::size_t num_lost = 0;
  std::size_t num_nodes = 0;
  for (const Tree& tree : forest.trees()) {
    num_nodes += tree.nodes.size();
    num_lost += static_cast<std::size_t>(std::ranges::count_if(tree.nodes, [&](const auto& node) {
      return node.missing_left != (rule == NanRule::kAsZero && 0.0F <= node.threshold);
    }));
  }
  if (num_lost == 0) return;
  context.warn(fmt::format(
      "{} has no missing values ({}): {} of {} nodes will send them the other way", format,
      rule == NanRule::kAsZero ? "they count as 0" : "they go right", num_lost, num_nodes));
}

}  // namespace glassrank
