#pragma once
// Groups of queries that a summary is made for: each one alone, those that are named, or bins of a
// feature that belongs to the query.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"
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

// A feature of the data and what it is called.
struct NamedFeature {
  std::size_t index = 0;
  std::string name;
};

// Queries by the value of a feature, in at most `num_bins` groups of about as many queries each;
// equal values stay together, and so do missing ones, last. The value is that of the query's first
// document: throws Error{kUsage} naming a query whose documents differ.
std::vector<QuerySelection> queries_by_feature(const Dataset& data, const NamedFeature& feature,
                                               std::size_t num_bins);

// Groups that a file names: lines of a query's id, a tab and the name of its group. A query may be
// in several groups; empty lines and those that begin with # say nothing. Groups come in the order
// of the file. Throws Error{kInput} for a line without a tab and a file without groups,
// Error{kUsage} for an unknown query.
std::vector<QuerySelection> queries_by_file(const Dataset& data, const std::string& path);
// The text of such a file; `path` is its name in messages.
std::vector<QuerySelection> parse_query_groups(const Dataset& data, std::string_view text,
                                               const std::string& path);

// What a user says of groups.
struct GroupChoice {
  bool by_query = false;
  std::string by_feature;  // name or number from 1; empty: none
  int bins = 4;
  std::string file;  // empty: none

  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} for more than one of them.
  void check() const;
};

// None where nothing is chosen. `features` are the names of the data's features.
std::vector<QuerySelection> chosen_groups(const GroupChoice& choice, const Dataset& data,
                                          std::span<const std::string> features);

}  // namespace glassrank
