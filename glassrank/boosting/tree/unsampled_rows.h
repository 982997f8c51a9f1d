#pragma once
// Scores of the unsampled rows: those a tree was not grown on.
//
// A sampler leaves rows out of a tree, yet every row's score is updated, and the partition of the
// tree's rows says nothing about them. Where they are many, all rows go through the tree as bits
// (binned_tree.h), at a cost of rows x nodes. Where they are few, they are collected and divided
// node by node as a leaf's rows are: rows x depth.

#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/binned_tree.h"

namespace glassrank {

// Whether dividing the rows that are not among `num_sampled` costs less than moving all as bits.
bool are_few_unsampled(const BinnedTree& tree, std::size_t num_sampled, std::size_t num_rows);

// scores[row] += the tree's value, for every row that is not among `sampled` (ascending).
void add_unsampled_scores(const BinnedTree& tree, const BinnedDataset& data,
                          std::span<const std::uint32_t> sampled, std::span<double> scores,
                          const Context& context);

}  // namespace glassrank
