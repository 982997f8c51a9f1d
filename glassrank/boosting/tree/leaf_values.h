#pragma once
// Sums over all rows of each leaf, from which leaf values are made (grown_tree.h), and adding those
// values to the rows' scores. Histograms may be rounded and leave rows out; these sums never are.
//
// Sums are exact (math/exact_sum.h): the same for any number of threads and machines.

#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/row_partition.h"
#include "glassrank/boosting/tree_backend.h"

namespace glassrank {

std::vector<LeafSums> sum_leaves(const RowPartition& partition, std::span<const LeafRows> leaves,
                                 const TreeGradients& gradients, const Context& context);

// scores[row] += values[leaf] for every row of every leaf.
void add_leaf_values(const RowPartition& partition, std::span<const LeafRows> leaves,
                     std::span<const double> values, std::span<double> scores,
                     const Context& context);

}  // namespace glassrank
