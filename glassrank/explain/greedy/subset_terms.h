#pragma once
// Masked scores of all small sets of features at once, by Moebius terms.
//
//   score(S) = sum over R within S of term(R)
// For sets of at most 3 features only terms of at most 3 features are needed. A leaf of a tree that
// a document reaches with the features A known and the features N not known contributes, with its
// value v,
//   term(A + M) += (-1)^|M| v   for every M within N
// because [A known, N not known] = sum over M of (-1)^|M| [A + M known]. An additive model has its
// terms ready (additive_terms.h). Whole numbers (fixed_point.h): score(S) is exactly the sum of the
// masked row's leaves.
//
// Sets are numbered: singles by feature, pairs a < b by b (b - 1) / 2 + a, triples a < b < c by
// c (c - 1) (c - 2) / 6 + b (b - 1) / 2 + a. Triples are kept for a range of c at a time, so that
// memory stays bounded whatever the number of features.
// Cost for a forest: per document and tree the leaves that document and typical row reach together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/explain/masks/additive_terms.h"
#include "glassrank/explain/masks/fixed_point.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/masks/mask_lanes.h"

namespace glassrank {

inline std::size_t pairs_below(std::size_t c) { return c * (c - 1) / 2; }
inline std::size_t triples_below(std::size_t c) { return c < 3 ? 0 : c * (c - 1) * (c - 2) / 6; }

// The terms of one document; features are numbered among those that may be chosen.
struct SubsetTerms {
  // Triples whose largest feature is in [first_largest, last_largest); none where they are equal.
  SubsetTerms(std::size_t num_features, std::size_t first_largest, std::size_t last_largest);

  // Adds to the term of a set of `size` features in any order; triples out of range are passed
  // over.
  void add(std::array<std::uint32_t, 3> set, std::size_t size, Fixed value);

  Fixed none = 0;
  std::vector<Fixed> singles;
  std::vector<Fixed> pairs;
  std::vector<Fixed> triples;
  std::size_t first_largest = 0;
  std::size_t last_largest = 0;
};

// Which features may be chosen: their numbers in the model, ascending.
using Choosable = std::span<const std::uint32_t>;

// The terms of at most `order` features of one document against one typical row. Features that are
// not choosable must not be used by the model.
void add_forest_terms(const ForestTable& table, BranchRow document, BranchRow typical,
                      Choosable features, std::size_t order, SubsetTerms& terms);
void add_additive_terms(const AdditiveTable& table, std::span<const float> document,
                        std::span<const float> typical, Choosable features, std::size_t order,
                        SubsetTerms& terms);

}  // namespace glassrank
