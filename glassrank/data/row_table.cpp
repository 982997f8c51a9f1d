#include "glassrank/data/row_table.h"

#include <string_view>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size != expected) {
    fail(ErrorKind::kInput, "{} {} for {} rows; there must be one per row", size, what, expected);
  }
}

}  // namespace

std::vector<double> from_file_order(const RowTable& table, std::vector<double> values) {
  if (table.source_rows.empty()) return values;
  std::vector<double> moved(values.size());
  for (std::size_t row = 0; row < moved.size(); ++row) moved[row] = values[table.source_rows[row]];
  return moved;
}

std::vector<double> to_file_order(const RowTable& table, std::span<const double> values) {
  std::vector<double> moved(values.begin(), values.end());
  if (table.source_rows.empty()) return moved;
  for (std::size_t row = 0; row < moved.size(); ++row) moved[table.source_rows[row]] = values[row];
  return moved;
}

void check_sizes(const RowTable& table) {
  const std::size_t num_rows = table.num_rows();
  check_size("rows in the query groups", table.queries.num_rows(), num_rows);
  if (!table.weights.empty()) check_size("weights", table.weights.size(), num_rows);
  if (!table.document_ids.empty()) check_size("document ids", table.document_ids.size(), num_rows);
  if (!table.source_rows.empty()) check_size("source rows", table.source_rows.size(), num_rows);
}

QueryGroups select_rows(const QueryGroups& queries, std::span<const std::uint32_t> rows) {
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  for (std::size_t q = 0; q < queries.num_queries(); ++q) {
    const std::size_t first = next;
    while (next < rows.size() && rows[next] < queries.rows(q).end) ++next;
    if (next == first) continue;
    ids.push_back(queries.id(q));
    sizes.push_back(next - first);
  }
  return {std::move(ids), sizes};
}

RowTable select_rows(const RowTable& table, std::span<const std::uint32_t> rows) {
  RowTable kept{.schema = table.schema,
                .grades = {},
                .queries = select_rows(table.queries, rows),
                .document_ids = {},
                .weights = {},
                .source_rows = {},
                .has_grades = table.has_grades};
  kept.grades.reserve(rows.size());
  StringColumnBuilder document_ids;
  for (const std::uint32_t row : rows) {
    kept.grades.push_back(table.grades[row]);
    if (!table.weights.empty()) kept.weights.push_back(table.weights[row]);
    if (!table.document_ids.empty()) document_ids.add(table.document_ids[row]);
  }
  if (document_ids.size() > 0) kept.document_ids = document_ids.finish();
  return kept;
}

}  // namespace glassrank
