#include "glassrank/explain/masks/forest_table.h"

#include <algorithm>

#include "glassrank/models/forest/forest_summary.h"

namespace glassrank {

ForestTable::ForestTable(const Forest& of, std::size_t num_summed)
    : forest(of),
      point(FixedPoint::for_scores_up_to(score_bound(of), num_summed)),
      base_score(point.from(of.base_score())) {
  std::size_t num_leaves = 0;
  for (const Tree& tree : trees()) num_leaves += tree.num_leaves();
  leaf_values.reserve(num_leaves);
  std::size_t next_node = 0;
  for (const Tree& tree : trees()) {
    first_node.push_back(next_node);
    first_leaf.push_back(leaf_values.size());
    next_node += tree.nodes.size();
    for (const double value : tree.leaf_values) leaf_values.push_back(point.from(value));
    max_leaves = std::max(max_leaves, tree.num_leaves());
    max_depth = std::max(max_depth, std::ranges::max(leaf_depths(tree)));
  }
}

}  // namespace glassrank
