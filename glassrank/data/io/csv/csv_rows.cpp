#include "glassrank/data/io/csv/csv_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

bool is_missing(std::string_view text) {
  const auto equals = [&](std::string_view word) {
    return std::ranges::equal(text, word, {}, [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  };
  return text.empty() || equals("nan") || equals("na") || equals("null");
}

// False unless all of `text` is one number; it may be infinite or, with letters, NaN.
bool parse_number(std::string_view text, float& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

// The record being parsed and where its cells go.
struct CsvRows::Row {
  const CsvPiece& piece;
  const char* begin = nullptr;
  const char* end = nullptr;  // of the chunk
  float* next_feature = nullptr;
  CsvChunkTable* table = nullptr;
};

CsvRows::CsvRows(std::string_view file, char separator, const Schema& schema)
    : file_(file),
      separator_(separator),
      columns_(schema.columns().begin(), schema.columns().end()) {
  for (const SchemaColumn& column : columns_) {
    roles_.push_back(column.role);
    if (column.role != ColumnRole::kFeature) num_table_columns_ = roles_.size();
  }
}

void CsvRows::parse(const CsvPiece& piece, const Output& output) const {
  const CsvChunk& chunk = piece.chunk;
  const char* p = skip_empty_csv_records(chunk.begin, chunk.end);
  for (std::size_t r = 0; p != chunk.end; ++r) {
    if (output.sink != nullptr && !output.sink->wants(chunk.first_row + r)) {
      p = end_of_csv_record(p, chunk.end, separator_);
    } else {
      Row row{.piece = piece,
              .begin = p,
              .end = chunk.end,
              .next_feature = nullptr,
              .table = output.table};
      if (output.features != nullptr) row.next_feature = output.features + r * output.row_stride;
      p = parse_record(row);
    }
    p = skip_empty_csv_records(next_csv_record(p, chunk.end), chunk.end);
  }
}

// Returns where the record ends.
const char* CsvRows::parse_record(Row& row) const {
  const char* p = row.begin;
  for (std::size_t c = 0;; ++p) {
    if (row.next_feature == nullptr && c == num_table_columns_) {
      return end_of_csv_record(p, row.end, separator_);
    }
    if (roles_[c] == ColumnRole::kFeature && row.next_feature != nullptr) {
      p = parse_feature(row, c, p, *row.next_feature++);
    } else {
      p = parse_cell(row, c, p);
    }
    ++c;
    const bool at_end = at_csv_record_end(p, row.end);
    if (at_end != (c == columns_.size())) check_count(row);
    if (at_end) return p;
  }
}

// The common case is a plain number up to the next separator; all else goes the slow way.
const char* CsvRows::parse_feature(const Row& row, std::size_t column, const char* p,
                                   float& value) const {
  const auto [stop, error] = fast_float::from_chars(p, row.end, value);
  const bool at_border = stop == row.end || *stop == separator_ || at_csv_record_end(stop, row.end);
  if (error == std::errc{} && at_border && std::isfinite(value)) return stop;
  value = parse_slow_feature(row, column, p);
  return read_csv_cell(p, row.end, separator_).after;
}

float CsvRows::parse_slow_feature(const Row& row, std::size_t column, const char* p) const {
  const CsvCell cell = checked_cell(row, p);
  const std::string_view text = trim_cell(cell.text);
  if (is_missing(text)) return kMissing;
  float value = 0;
  if (!parse_number(text, value) || std::isnan(value)) {
    fail_cell(row, column, p,
              fmt::format("{} is not a number; a feature is a number or, if missing, empty, nan, "
                          "NA or null",
                          quote_text(text)));
  }
  if (std::isinf(value)) {
    fail_cell(row, column, p,
              fmt::format("{} is too large; a feature is a finite number below 3.4e38",
                          quote_text(text)));
  }
  return value;
}

const char* CsvRows::parse_cell(const Row& row, std::size_t column, const char* p) const {
  if (row.table != nullptr) {
    CsvChunkTable& table = *row.table;
    switch (roles_[column]) {
      case ColumnRole::kFeature:
        break;
      case ColumnRole::kGrade:
        table.grades.push_back(parse_not_negative(row, column, p, "grade"));
        break;
      case ColumnRole::kWeight:
        table.weights.push_back(parse_not_negative(row, column, p, "weight"));
        break;
      case ColumnRole::kQuery:
        add_query(row, column, p);
        break;
      case ColumnRole::kDocument: {
        const CsvCell cell = checked_cell(row, p);
        const std::size_t before = table.documents.size();
        if (cell.quoted) {
          table.documents += csv_cell_value(cell);
        } else {
          table.documents += trim_cell(cell.text);
        }
        table.document_sizes.push_back(table.documents.size() - before);
        break;
      }
    }
  }
  return checked_cell(row, p).after;
}

float CsvRows::parse_not_negative(const Row& row, std::size_t column, const char* p,
                                  std::string_view what) const {
  const std::string_view text = trim_cell(checked_cell(row, p).text);
  float value = 0;
  if (text.empty()) {
    fail_cell(row, column, p, fmt::format("is empty; a {} is a finite number >= 0", what));
  }
  if (!parse_number(text, value)) {
    fail_cell(
        row, column, p,
        fmt::format("{} is not a number; a {} is a finite number >= 0", quote_text(text), what));
  }
  if (!std::isfinite(value) || value < 0) {
    fail_cell(
        row, column, p,
        fmt::format("{} cannot be a {}; it must be a finite number >= 0", quote_text(text), what));
  }
  return value;
}

void CsvRows::add_query(const Row& row, std::size_t column, const char* p) const {
  const CsvCell cell = checked_cell(row, p);
  std::string unquoted;
  std::string_view id = trim_cell(cell.text);
  if (cell.quoted) {
    unquoted = csv_cell_value(cell);
    id = unquoted;
  }
  if (id.empty()) fail_cell(row, column, p, "is empty; every row needs a query id");
  append_run(row.table->queries, id);
}

CsvCell CsvRows::checked_cell(const Row& row, const char* p) const {
  const CsvCell cell = read_csv_cell(p, row.end, separator_);
  if (cell.unclosed) fail_in(row, p, "the quote that opens here is not closed");
  if (cell.text_after_quote) {
    fail_in(row, p, "text after a closing quote; a quote inside is written \"\"");
  }
  return cell;
}

std::size_t CsvRows::count_cells(const char* p, const char* end) const {
  std::size_t count = 1;
  for (;; ++p, ++count) {
    p = read_csv_cell(p, end, separator_).after;
    if (at_csv_record_end(p, end)) return count;
  }
}

void CsvRows::check_count(const Row& row) const {
  const std::size_t count = count_cells(row.begin, row.end);
  if (count != columns_.size()) {
    fail_in(row, row.begin,
            fmt::format("{} cells, but the header names {} columns", count, columns_.size()));
  }
}

void CsvRows::fail_in(const Row& row, const char* p, std::string_view message) const {
  fail_at(file_, row.piece.text, p, message, row.piece.first_line);
}

void CsvRows::fail_cell(const Row& row, std::size_t column, const char* p,
                        std::string_view message) const {
  check_count(row);  // cells in the wrong columns are the more likely reason
  fail_in(row, p, fmt::format("column {}: {}", quote_text(columns_[column].name), message));
}

}  // namespace glassrank
