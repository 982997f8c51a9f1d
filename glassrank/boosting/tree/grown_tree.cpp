#include "glassrank/boosting/tree/grown_tree.h"

#include <utility>

namespace glassrank {
namespace {

// Children come after their parents: sums run from the last node up.
TreeStatistics statistics_of(const GrownTree& grown, std::span<const LeafSums> sums,
                             const SplitRules& rules, double learning_rate) {
  const std::size_t num_nodes = grown.nodes.size();
  TreeStatistics s;
  std::vector<LeafSums> node_sums(num_nodes);
  s.node_gain = grown.node_gain;
  s.node_value.resize(num_nodes);
  s.node_weight.resize(num_nodes);
  s.node_count.resize(num_nodes);
  for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
    s.leaf_weight.push_back(sums[leaf].hessian);
    s.leaf_count.push_back(grown.leaves[leaf].num_rows);
  }
  for (std::size_t n = num_nodes; n-- > 0;) {
    for (const std::int32_t child : {grown.nodes[n].left, grown.nodes[n].right}) {
      const auto at = static_cast<std::size_t>(child < 0 ? ~child : child);
      const LeafSums& part = child < 0 ? sums[at] : node_sums[at];
      node_sums[n].gradient += part.gradient;
      node_sums[n].hessian += part.hessian;
      s.node_count[n] += child < 0 ? s.leaf_count[at] : s.node_count[at];
    }
    s.node_weight[n] = node_sums[n].hessian;
    s.node_value[n] = learning_rate * leaf_value(node_sums[n], rules, {});
  }
  return s;
}

}  // namespace

FinishedTree finish_tree(const GrownTree& grown, std::span<const LeafSums> sums,
                         const SplitRules& rules, double learning_rate, const BinEdges& edges) {
  BinnedTree binned{.nodes = grown.nodes, .leaf_values = {}};
  for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
    SplitRules of_leaf = rules;
    of_leaf.l2 += grown.leaves[leaf].set_l2;
    binned.leaf_values.push_back(learning_rate *
                                 leaf_value(sums[leaf], of_leaf, grown.leaves[leaf].bounds));
  }
  Tree tree{.nodes = to_tree_nodes(binned, edges),
            .leaf_values = binned.leaf_values,
            .statistics = statistics_of(grown, sums, rules, learning_rate)};
  return {.binned = std::move(binned), .tree = std::move(tree)};
}

}  // namespace glassrank
