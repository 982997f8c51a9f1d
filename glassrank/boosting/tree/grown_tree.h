#pragma once
// A tree as it was grown, and what makes it part of a forest: leaf values and statistics.
//
// With G and H summed over all rows of a leaf, whatever the histograms held:
//   leaf value = learning_rate * value(G, H) within the leaf's bounds (split.h).
// The statistics of a node are those of the leaves below it; its value is what it would have as a
// leaf without bounds.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/boosting/tree/split.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

struct GrownLeaf {
  std::uint64_t num_rows = 0;  // on all machines
  ValueBounds bounds;
  double set_l2 = 0;  // penalty on its value beside l2: it is a side of a split on a set
};

struct GrownTree {
  std::vector<BinnedNode> nodes;
  std::vector<GrownLeaf> leaves;  // nodes.size() + 1
  std::vector<double> node_gain;
  std::uint64_t num_rows = 0;  // the tree was grown on, on all machines
};

struct FinishedTree {
  BinnedTree binned;
  Tree tree;
};

// `sums` are of the leaves.
FinishedTree finish_tree(const GrownTree& grown, std::span<const LeafSums> sums,
                         const SplitRules& rules, double learning_rate, const BinEdges& edges);

}  // namespace glassrank
