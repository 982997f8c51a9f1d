#pragma once
// Everything of ranking data but the feature values: the one record that readers fill, and that
// values (Dataset) and bins (BinnedDataset) of the same rows share.
//
// Small next to the matrix: 4 bytes a row for grades, as much for weights, ids as long as they are.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/data/query_groups.h"
#include "glassrank/data/schema.h"
#include "glassrank/data/string_column.h"

namespace glassrank {

struct RowTable {
  Schema schema;
  std::vector<float> grades;  // one per row
  QueryGroups queries;
  StringColumn document_ids;   // empty, or one per row
  std::vector<float> weights;  // empty, or one per row
  // The row of the file each row came from, when a reader had to group scattered queries; else
  // empty. Score files go by the file's order.
  std::vector<std::uint32_t> source_rows;
  // False: nobody has judged the rows, their grades are 0.
  bool has_grades = true;

  std::size_t num_rows() const { return grades.size(); }
  std::size_t num_features() const { return schema.num_features(); }
  std::span<const std::string> feature_names() const { return schema.feature_names(); }
};

// One value per line of the file -> one per row, and back.
std::vector<double> from_file_order(const RowTable& table, std::vector<double> values);
std::vector<double> to_file_order(const RowTable& table, std::span<const double> values);

// Throws Error{kInput} if the sizes do not fit together.
void check_sizes(const RowTable& table);

// What belongs to some of the rows, which ascend strictly. Queries that lose every row disappear;
// the file's order is not known of rows that are not all of it.
QueryGroups select_rows(const QueryGroups& queries, std::span<const std::uint32_t> rows);
RowTable select_rows(const RowTable& table, std::span<const std::uint32_t> rows);

}  // namespace glassrank
