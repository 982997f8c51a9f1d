#pragma once
// One tree taken apart for the bit-sliced scorer: the steps, bundles, twigs and other leaves that
// scoring_plan.h tells of.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/function_ref.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

// What of a tree is not split by steps.
struct KeptShapes {
  std::size_t num_bundles = 0;
  std::size_t num_twigs = 0;  // besides those of bundles
};

// The most that two trees have in common.
KeptShapes common_shapes(const Tree& first, const Tree& second);

struct SlicedTree {
  // Where the rows of some nodes are, what divides them, and the values of their leaves.
  struct Part {
    std::vector<std::uint16_t> sources;
    std::vector<std::uint32_t> conditions;
    std::vector<double> values;
  };
  Part steps;
  // A fork has two conditions, its own and its twig's, and three values, its leaf's first.
  Part first_forks;   // the twig is on the right
  Part second_forks;  // the twig is on the left
  Part bundle_twigs;
  Part twigs;
  Part leaves;
};

// There must be as many bundles and twigs to keep. Shapes that there are enough of
// are steps like any node. Steps are in breadth-first order.
SlicedTree slice_tree(const Tree& tree, const KeptShapes& kept,
                      FunctionRef<std::uint32_t(const TreeNode&)> condition);

}  // namespace glassrank
