#pragma once
// Cutting ranking data by query: a query is never torn, no query is in two parts.
//
// Queries are shuffled with the seed and cut. Fractions: part i gets the queries between
// round(n * (f_1 + ... + f_{i-1})) and round(n * (f_1 + ... + f_i)) of the shuffled list. Folds
// (as the LETOR sets rotate): the list is cut into k equal parts; fold i tests on part i, validates
// on part i + 1 (mod k) and trains on the rest. Within a part queries keep the data's order.
// Not stratified. Cost: O(queries).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/shard.h"

namespace glassrank {

using QueryList = std::vector<std::size_t>;  // ascending query indices

// Throws Error{kUsage} unless the fractions are positive and add up to 1, and Error{kInput} if a
// part would be empty.
std::vector<QueryList> split_queries(std::size_t num_queries, std::span<const double> fractions,
                                     std::uint64_t seed);

struct Fold {
  QueryList train;
  QueryList valid;
  QueryList test;
};

// Throws Error{kUsage} for fewer than 3 folds (a fold needs three parts), Error{kInput} for fewer
// queries than folds.
std::vector<Fold> fold_queries(std::size_t num_queries, int num_folds, std::uint64_t seed);

// Of queries of all machines those of this one, by its own numbers.
QueryList own_queries(const QueryList& queries, const QueryGroups& own, const Shard& shard);
// fold_queries() of the queries of all machines, for this one. Collective.
std::vector<Fold> fold_queries(const QueryGroups& own, int num_folds, const Context& context);

}  // namespace glassrank
