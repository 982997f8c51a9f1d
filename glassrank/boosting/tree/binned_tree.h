#pragma once
// A tree whose thresholds are bins: what training grows and moves rows through.
//
// Codes are a byte where values are four, and cuts are the only thresholds there can be, so that
// rows go the same way as by values. Backends update scores with it; finish_tree (grown_tree.h)
// makes the tree with thresholds that the model keeps.
// Children as in models/forest/tree.h (>= 0 a node, < 0 leaf ~child). Codes <= bin go left, the
// missing bin goes left iff missing_left; where a set is asked for, its bins go left and all others
// right.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/bin_set.h"
#include "glassrank/boosting/tree/partition_kernel.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

struct BinnedNode {
  std::uint32_t feature = 0;
  std::uint32_t bin = 0;
  bool missing_left = false;
  std::int32_t left = 0;
  std::int32_t right = 0;
  bool asks_set = false;
  BinSet bins = {};  // if asks_set
};

// Which codes of its column go left. The node must outlive the rule.
PartitionRule rule_of(const BinnedNode& node, const BinnedDataset& data);

struct BinnedTree {
  std::vector<BinnedNode> nodes;
  std::vector<double> leaf_values;  // nodes.size() + 1
};

// Thresholds become cuts; "every value left" becomes +infinity; bins of a set become the categories
// they hold.
std::vector<TreeNode> to_tree_nodes(const BinnedTree& tree, const BinEdges& edges);

// The inverse. Throws Error{kUsage} when a threshold is not one of the cuts, or a category has no
// bin of its own: the tree was grown on other bins.
BinnedTree to_binned_tree(const Tree& tree, const BinEdges& edges);

// scores[row] += the tree's value, for every row. Blocks of rows go through all nodes as bits: one
// byte read per row and node on the rows' way, in order, without branches.
void add_tree_scores(const BinnedTree& tree, const BinnedDataset& data, std::span<double> scores,
                     const Context& context);

// A forest's scores of all rows, base score first, then tree by tree. Throws as to_binned_tree
// does.
std::vector<double> forest_scores(const Forest& forest, const BinnedDataset& data,
                                  const Context& context);

// The tree's value for one row, node by node: the definition.
double binned_score(const BinnedTree& tree, const BinnedDataset& data, std::size_t row);

}  // namespace glassrank
