#pragma once
// Scores of the rows a tree was not grown on.
//
// A sampler leaves rows out of a tree, yet every row's score is updated. Where they are many, all
// rows go through the tree as bits (binned_tree.h), at a cost of rows x nodes. Where they are few,
// they are collected and divided node by node as a leaf's rows are: rows x depth.

#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/binned_tree.h"

namespace glassrank {

// Whether dividing the rows that are not among `num_taken` costs less than moving all as bits.
bool are_few_others(const BinnedTree& tree, std::size_t num_taken, std::size_t num_rows);

// scores[row] += the tree's value, for every row that is not among `taken` (ascending).
void add_scores_of_others(const BinnedTree& tree, const BinnedDataset& data,
                          std::span<const std::uint32_t> taken, std::span<double> scores,
                          const Context& context);

}  // namespace glassrank
