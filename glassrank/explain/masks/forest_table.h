#pragma once
// A forest with its nodes and leaves numbered through all trees, leaf values in fixed point: what
// masked scoring reads.
//
// Masked scores are asked for by the thousand, and the fast ways add differences in an order of
// their own: numbers through all trees make a leaf's value one look-up, and fixed point
// (fixed_point.h) makes the sum the same in any order.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/explain/masks/fixed_point.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct ForestTable {
  // Sums of up to `num_summed` scores must fit.
  ForestTable(const Forest& forest, std::size_t num_summed);

  std::span<const Tree> trees() const { return forest.trees(); }
  std::size_t num_nodes() const { return leaf_values.size() - trees().size(); }
  const Fixed* leaves_of(std::size_t tree) const { return leaf_values.data() + first_leaf[tree]; }

  Forest forest;
  FixedPoint point;
  Fixed base_score = 0;
  std::vector<std::size_t> first_node;  // by tree
  std::vector<std::size_t> first_leaf;  // by tree
  std::vector<Fixed> leaf_values;
  std::size_t max_leaves = 1;  // of a tree
  std::size_t max_depth = 0;   // nodes on the longest way to a leaf
};

}  // namespace glassrank
