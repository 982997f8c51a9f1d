#include "glassrank/explain/tree_shap/leaf_patterns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glassrank {
namespace {

class PatternMaker {
 public:
  explicit PatternMaker(const Tree& tree) : tree_(tree) {}

  PatternTree make() {
    if (!tree_.nodes.empty()) descend();
    return std::move(result_);
  }

 private:
  struct Step {
    std::int32_t node = 0;
    std::uint32_t depth = 0;
    bool to_left = false;
  };

  // Depth first, without recursion: trees may be chains.
  void descend() {
    std::vector<Step> open = {{.node = 0, .depth = 1, .to_left = false},
                              {.node = 0, .depth = 1, .to_left = true}};
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      path_.resize(step.depth - 1);
      const std::int32_t child = take(step);
      if (child < 0) continue;
      open.push_back({.node = child, .depth = step.depth + 1, .to_left = false});
      open.push_back({.node = child, .depth = step.depth + 1, .to_left = true});
    }
  }

  // Goes down an edge; the child it leads to.
  std::int32_t take(const Step& step) {
    const TreeNode& node = tree_.nodes[static_cast<std::size_t>(step.node)];
    const std::int32_t child = step.to_left ? node.left : node.right;
    std::uint32_t place = path_.empty() ? 0 : path_.back().num_features;
    bool is_repeat = false;
    for (const OnPath& above : path_) {
      if (above.split.node.feature != node.feature) continue;
      place = above.split.place;
      is_repeat = true;
      break;
    }
    const std::uint32_t before = path_.empty() ? 0 : path_.back().num_features;
    path_.push_back({.split = {.node = node, .to_left = step.to_left, .place = place},
                     .num_features = before + (is_repeat ? 0 : 1)});
    const bool is_wide = path_.back().num_features > kMaxPatternBits;
    std::uint32_t leaf = kNoPatternLeaf;
    if (child < 0) {
      leaf = static_cast<std::uint32_t>(result_.leaves.size());
      result_.leaves.push_back(leaf_at(static_cast<std::size_t>(~child)));
    }
    if (!is_wide) {
      result_.depth = std::max(result_.depth, step.depth);
      result_.edges.push_back({.node = node,
                               .to_left = step.to_left,
                               .is_repeat = is_repeat,
                               .bit = static_cast<std::uint8_t>(place),
                               .depth = step.depth,
                               .leaf = leaf});
    }
    return child;
  }

  PatternLeaf leaf_at(std::size_t leaf) const {
    PatternLeaf result{.value = tree_.leaf_values[leaf]};
    result.features.resize(path_.back().num_features);
    for (const OnPath& step : path_) result.features[step.split.place] = step.split.node.feature;
    if (!result.is_wide()) return result;
    for (const OnPath& step : path_) result.splits.push_back(step.split);
    return result;
  }

  struct OnPath {
    WideSplit split;
    std::uint32_t num_features = 0;  // different ones so far
  };

  const Tree& tree_;
  PatternTree result_;
  std::vector<OnPath> path_;
};

}  // namespace

PatternTree make_pattern_tree(const Tree& tree) { return PatternMaker(tree).make(); }

RowColumns::RowColumns(MatrixView<const float> rows)
    : num_rows(rows.num_rows()), values(rows.num_rows() * rows.num_columns()) {
  for (std::size_t r = 0; r < num_rows; ++r) {
    for (std::size_t f = 0; f < rows.num_columns(); ++f) values[f * num_rows + r] = rows(r, f);
  }
}

void follow_edge(const PatternEdge& edge, const RowColumns& rows,
                 std::span<const std::uint64_t> parent, std::span<std::uint64_t> child) {
  const float* const x = rows.column(edge.node.feature);
  const float threshold = edge.node.threshold;
  const bool missing_left = edge.node.missing_left;
  const bool asks_category = edge.node.asks_category();
  // |x| of what counts as missing, but for NaN; none is below 0.
  const float zero = edge.node.zero_is_missing ? kZeroThreshold : -1.0F;
  const auto fails = [&](std::size_t r) {
    const bool missing = std::isnan(x[r]) || std::abs(x[r]) <= zero;
    const bool passes = asks_category ? edge.node.categories.contains(x[r]) : x[r] <= threshold;
    const bool left = missing ? missing_left : passes;
    return static_cast<std::uint64_t>(left != edge.to_left);
  };
  if (edge.is_repeat) {
    for (std::size_t r = 0; r < child.size(); ++r) child[r] = parent[r] & ~(fails(r) << edge.bit);
  } else {
    for (std::size_t r = 0; r < child.size(); ++r) {
      child[r] = parent[r] | ((fails(r) ^ 1U) << edge.bit);
    }
  }
}

std::vector<std::uint8_t> wide_pattern(const PatternLeaf& leaf, std::span<const float> row) {
  std::vector<std::uint8_t> passes(leaf.features.size(), 1);
  for (const WideSplit& split : leaf.splits) {
    if (goes_left(split.node, row[split.node.feature]) != split.to_left) passes[split.place] = 0;
  }
  return passes;
}

}  // namespace glassrank
