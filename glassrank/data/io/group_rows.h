#pragma once
// Turns the query ids of a file's rows into query groups, and puts rows that are not grouped in
// order.
//
// Readers note runs: consecutive rows of one query. If every query is one run the data are
// contiguous and nothing moves. Otherwise queries are ordered by first appearance and their rows
// keep the file's order (a stable grouping). A reader that knows the runs before it parses values
// puts rows where they belong at once (places_of, placed_sink.h, move_columns); one that learns
// both together moves them afterwards (apply_grouping), in place, with one extra row of memory.
// Cost: one hash lookup per run.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// `num_rows` consecutive rows of query `id`.
struct QueryRun {
  std::string id;
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

// The same for everything but the features, which others put in place, and the queries.
void move_columns(std::vector<std::uint32_t> order, RowTable& table);

// Where each row of the file goes: the inverse of `order`.
std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> order);

// The notice for a reader that grouped.
std::string grouped_notice(std::string_view file, const RowGrouping& grouping);

}  // namespace glassrank
