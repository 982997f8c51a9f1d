#pragma once
// Turns the query ids of a file's rows into query groups, and puts rows that are not grouped in
// order.
//
// Readers note runs: consecutive rows of one query. If every query is one run the data are
// contiguous and nothing moves. Otherwise queries are ordered by first appearance and their rows
// keep the file's order (a stable grouping). Cost: one hash lookup per run; moving the rows is in
// place, one extra row of memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// `num_rows` consecutive rows of query `id`. The id's bytes belong to the input text.
struct QueryRun {
  std::string_view id;
  std::size_t num_rows = 0;
};

// Adds the next rows: lengthens the last run if it is of the same query.
void append_run(std::vector<QueryRun>& runs, std::string_view id, std::size_t num_rows = 1);

struct RowGrouping {
  QueryGroups queries;
  // Row i of the grouped data is row order[i] of the file; empty when nothing has to move.
  std::vector<std::uint32_t> order;
  std::size_t num_split_queries = 0;  // queries whose rows were not consecutive
  std::string first_split_query;
  std::size_t first_split_row = 0;  // 0-based row of the file where that query comes up again

  bool contiguous() const { return num_split_queries == 0; }
};

// Neighbouring runs may have the same id (the borders of chunks parsed apart); empty runs do not
// count.
RowGrouping group_rows(std::span<const QueryRun> runs);

// Moves every per-row part to the grouped order and sets parts.queries. `parts` is in the order of
// the file.
void apply_grouping(RowGrouping grouping, DatasetParts& parts);

// The notice for a reader that grouped, and the Error{kInput} message of one that cannot.
std::string grouped_notice(std::string_view file, const RowGrouping& grouping);
std::string not_contiguous_message(std::string_view file, const RowGrouping& grouping);

}  // namespace glassrank
