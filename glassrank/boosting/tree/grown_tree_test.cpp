#include "glassrank/boosting/tree/grown_tree.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// One split; -G / (H + l2): -(-6) / (2 + 1), and with the penalty of a set 10 more below.
TEST(FinishTree, LeavesBelowASplitOnASetKeepItsPenalty) {
  GrownTree grown{.nodes = {{.feature = 0, .left = ~0, .right = ~1}},
                  .leaves = {{.num_rows = 3}, {.num_rows = 3}},
                  .node_gain = {1},
                  .num_rows = 6};
  const std::vector<LeafSums> sums = {{.gradient = -6, .hessian = 2},
                                      {.gradient = 13, .hessian = 2}};
  const BinEdges edges({0, 1}, {0.5F});
  EXPECT_EQ(finish_tree(grown, sums, {.l2 = 1}, 0.5, edges).binned.leaf_values,
            (std::vector<double>{0.5 * 2, 0.5 * -13.0 / 3}));
  for (GrownLeaf& leaf : grown.leaves) leaf.set_l2 = 10;
  EXPECT_EQ(finish_tree(grown, sums, {.l2 = 1}, 0.5, edges).binned.leaf_values,
            (std::vector<double>{0.5 * 6 / 13, 0.5 * -1}));
}

}  // namespace
}  // namespace glassrank
