#pragma once
// The leaf-score probe (Marcuzzi, Lucchese, Orlando, ICTIR 2022, Table 5): what a tree gives to
// relevant documents at the top, to negative outliers and to the other negative documents.
//
//   leaf score of a group at tree t = mean value of the `num_leaves` leaves of tree t that most
//   documents of the group fall into (leaves without any are not among them; ties: lower number)
//   score so far = mean over the group's documents of their score by the first t trees
// num_leaves 0: 7.5 % of the tree's leaves, rounded up, as the paper's 30 of 400.
// The paper does not say which of the two its table holds. Its numbers grow from tree to tree as
// the score so far does (.038, .170, .269, .425 for P_k at trees 1, 10, 20, 50), so that is what
// the study shows; both are in its file.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct DocumentGroup {
  std::string name;
  std::vector<std::uint32_t> rows;
};

// P_k: relevant documents among the first `cutoff` of their query by these scores; N: documents of
// at most negative_grade that are not in `outliers`. Rows ascend.
DocumentGroup relevant_at_top(const Dataset& data, std::span<const double> scores,
                              std::size_t cutoff, double negative_grade);
DocumentGroup other_negatives(const Dataset& data, std::span<const std::uint32_t> outliers,
                              double negative_grade);

struct LeafScores {
  // [group][tree]; NaN for an empty group.
  std::vector<std::vector<double>> leaf;
  std::vector<std::vector<double>> so_far;
};

// Of the first `num_trees` trees.
LeafScores probe_leaves(const Forest& forest, const Dataset& data,
                        std::span<const DocumentGroup> groups, std::size_t num_trees,
                        std::size_t num_leaves, const Context& context);

}  // namespace glassrank
