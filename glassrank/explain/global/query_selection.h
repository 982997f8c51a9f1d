#pragma once
// Groups of queries that a summary is made for: each one alone, those that are named, or bins of a
// feature that belongs to the query.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/data/dataset.h"

namespace glassrank {

struct QuerySelection {
  std::string name;
  std::vector<std::uint32_t> queries;  // of the data, ascending
};

// One group per query, named by its id.
std::vector<QuerySelection> every_query(const Dataset& data);

// The queries of these ids as one group. Throws Error{kUsage} for an id that the data does not
// have, with the nearest.
QuerySelection named_queries(const Dataset& data, std::string name,
                             std::span<const std::string> ids);

// Queries by the value of a feature, in at most `num_bins` groups of about as many queries each;
// equal values stay together, and so do missing ones, last. The value is that of the query's first
// document: throws Error{kUsage} naming a query whose documents differ.
std::vector<QuerySelection> queries_by_feature(const Dataset& data, std::size_t feature,
                                               std::size_t num_bins);

}  // namespace glassrank
