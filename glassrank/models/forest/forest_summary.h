#pragma once
// What a person asks first of a forest: how large it is, what it looks at, what its file knew.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct ForestSummary {
  std::size_t num_trees = 0;
  std::size_t num_leaves = 0;
  std::size_t most_leaves = 0;      // of one tree
  std::size_t depth = 0;            // decisions on the longest way to a leaf
  double mean_leaf_depth = 0;       // decisions on the way to a leaf, over all leaves
  std::vector<std::uint32_t> used;  // features some node asks for
  std::vector<std::uint32_t> unused;
  // Whether every tree with a node has them (files of other programs may hold none).
  bool has_gains = false;
  bool has_counts = false;
};

ForestSummary summarise(const Forest& forest);

// Decisions on the way to every leaf, by leaf. Cost: O(leaves).
std::vector<std::size_t> leaf_depths(const Tree& tree);

}  // namespace glassrank
