#include "glassrank/boosting/binned_tree.h"

#include <algorithm>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 4096;

// A node with its column at hand.
struct Step {
  BinColumn column;
  std::uint32_t bin;
  std::uint32_t also_left;
  std::int32_t left;
  std::int32_t right;
};

std::vector<Step> steps_of(const BinnedTree& tree, const BinnedDataset& data) {
  std::vector<Step> steps;
  for (const BinnedNode& node : tree.nodes) {
    const auto missing = static_cast<std::uint32_t>(data.missing_bin(node.feature));
    steps.push_back({.column = data.column(node.feature),
                     .bin = node.bin,
                     .also_left = node.missing_left ? missing : node.bin,
                     .left = node.left,
                     .right = node.right});
  }
  return steps;
}

double value_of(std::span<const Step> steps, const BinnedTree& tree, std::size_t row) {
  std::int32_t at = steps.empty() ? ~0 : 0;
  while (at >= 0) {
    const Step& step = steps[static_cast<std::size_t>(at)];
    const std::size_t code = step.column[row];
    at = code <= step.bin || code == step.also_left ? step.left : step.right;
  }
  const std::int32_t leaf = ~at;
  return tree.leaf_values[static_cast<std::size_t>(leaf)];
}

}  // namespace

std::vector<TreeNode> to_tree_nodes(const BinnedTree& tree, const BinEdges& edges) {
  std::vector<TreeNode> nodes;
  for (const BinnedNode& node : tree.nodes) {
    const std::span<const float> cuts = edges.cuts(node.feature);
    const float threshold =
        node.bin < cuts.size() ? cuts[node.bin] : std::numeric_limits<float>::infinity();
    nodes.push_back({.feature = node.feature,
                     .threshold = threshold,
                     .left = node.left,
                     .right = node.right,
                     .missing_left = node.missing_left});
  }
  return nodes;
}

BinnedTree to_binned_tree(const Tree& tree, const BinEdges& edges) {
  BinnedTree binned{.nodes = {}, .leaf_values = tree.leaf_values};
  for (const TreeNode& node : tree.nodes) {
    if (node.feature >= edges.num_features()) {
      fail(ErrorKind::kUsage, "the model splits on feature {}, the data has {} features",
           node.feature, edges.num_features());
    }
    const std::span<const float> cuts = edges.cuts(node.feature);
    const auto cut = std::ranges::lower_bound(cuts, node.threshold);
    const bool is_cut = cut == cuts.end() ? node.threshold == std::numeric_limits<float>::infinity()
                                          : *cut == node.threshold;
    if (!is_cut || node.zero_is_missing) {
      fail(ErrorKind::kUsage,
           "the model splits feature {} at {}, which is not a bin border of this data; go on only "
           "from a model trained on the same bins",
           node.feature, node.threshold);
    }
    binned.nodes.push_back({.feature = node.feature,
                            .bin = static_cast<std::uint32_t>(cut - cuts.begin()),
                            .missing_left = node.missing_left,
                            .left = node.left,
                            .right = node.right});
  }
  return binned;
}

void add_tree_scores(const BinnedTree& tree, const BinnedDataset& data, std::span<double> scores,
                     const Context& context) {
  const std::vector<Step> steps = steps_of(tree, data);
  parallel_for(context, data.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) scores[row] += value_of(steps, tree, row);
  });
}

void add_tree_scores(const BinnedTree& tree, const BinnedDataset& data,
                     std::span<const std::uint32_t> rows, std::span<double> scores,
                     const Context& context) {
  const std::vector<Step> steps = steps_of(tree, data);
  parallel_for(context, rows.size(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scores[rows[i]] += value_of(steps, tree, rows[i]);
  });
}

}  // namespace glassrank
