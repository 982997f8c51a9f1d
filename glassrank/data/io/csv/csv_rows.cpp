#include "glassrank/data/io/csv/csv_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// In a column of true and false.
std::optional<float> parse_bit(std::string_view text) {
  if (const auto value = parse_boolean(text)) return value;
  const auto number = parse_number(text);
  return number && (*number == 0 || *number == 1) ? number : std::nullopt;
}

}  // namespace

// The record being parsed and where its cells go.
struct CsvRows::Row {
  const CsvPiece& piece;
  const char* begin = nullptr;
  const char* end = nullptr;  // of the chunk
  float* next_feature = nullptr;
  CsvChunkTable* table = nullptr;
  std::vector<CategoryCounts>* categories = nullptr;
};

CsvRows::CsvRows(std::string_view file, char separator, CsvColumns columns)
    : file_(file),
      separator_(separator),
      columns_(std::move(columns)),
      has_missing_numbers_(columns_.missing.has_numbers()) {
  for (std::size_t c = 0; c < columns_.parts.size(); ++c) {
    const CsvPart part = columns_.parts[c];
    if (!is_feature(part) && part != CsvPart::kIgnored) num_table_columns_ = c + 1;
  }
}

void CsvRows::set_codes(std::size_t column, CategoryCodes codes) {
  codes_.resize(columns_.parts.size());
  codes_[column] = std::move(codes);
  columns_.parts[column] = CsvPart::kCategory;
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
              .table = output.table,
              .categories = output.categories};
      if (output.features != nullptr) row.next_feature = output.features + r * output.row_stride;
      p = parse_record(row);
    }
    p = skip_empty_csv_records(next_csv_record(p, chunk.end), chunk.end);
  }
}

// Returns where the record ends.
const char* CsvRows::parse_record(Row& row) const {
  const char* p = row.begin;
  const CsvPart* const parts = columns_.parts.data();
  for (std::size_t c = 0;; ++p) {
    if (row.next_feature == nullptr && row.categories == nullptr && c == num_table_columns_) {
      return end_of_csv_record(p, row.end, separator_);
    }
    if (parts[c] == CsvPart::kNumber && row.next_feature != nullptr) {
      p = parse_feature(row, c, p, *row.next_feature++);
    } else if (is_feature(parts[c]) && row.next_feature != nullptr) {
      *row.next_feature++ = parse_other_feature(row, c, p);
      p = read_csv_cell(p, row.end, separator_).after;
    } else {
      p = parse_cell(row, c, p);
    }
    ++c;
    const bool at_end = at_csv_record_end(p, row.end);
    if (at_end != (c == columns_.parts.size())) check_count(row);
    if (at_end) return p;
  }
}

// The common case is a plain number up to the next separator; all else goes the slow way.
const char* CsvRows::parse_feature(const Row& row, std::size_t column, const char* p,
                                   float& value) const {
  const auto [stop, error] = fast_float::from_chars(p, row.end, value);
  const bool at_border = stop == row.end || *stop == separator_ || at_csv_record_end(stop, row.end);
  if (error == std::errc{} && at_border && std::isfinite(value)) {
    if (has_missing_numbers_ && columns_.missing.has(value)) value = kMissing;
    return stop;
  }
  value = parse_slow_feature(row, column, p);
  return read_csv_cell(p, row.end, separator_).after;
}

// The text of a cell that holds a category: what quotes hold, or what is left between blanks.
float CsvRows::parse_category(const Row& row, std::size_t column, const char* p) const {
  const CsvCell cell = checked_cell(row, p);
  const std::string unquoted = cell.quoted ? csv_cell_value(cell) : std::string();
  const std::string_view text = cell.quoted ? std::string_view(unquoted) : trim_cell(cell.text);
  if (columns_.missing.has(text)) return kMissing;
  const CategoryCodes& codes = codes_[column];
  const auto found = codes.find(text);
  return found == codes.end() ? static_cast<float>(codes.size()) : found->second;
}

float CsvRows::parse_slow_feature(const Row& row, std::size_t column, const char* p) const {
  const CsvCell cell = checked_cell(row, p);
  const std::string_view text = trim_cell(cell.text);
  if (columns_.missing.has(text)) return kMissing;
  const auto value = parse_number(text);
  if (!value || std::isnan(*value)) fail_feature(row, column, p, text);
  if (std::isinf(*value)) {
    fail_cell(row, column, p,
              fmt::format("{} is too large; a feature is a finite number below 3.4e38",
                          quote_text(text)));
  }
  return columns_.missing.has(*value) ? kMissing : *value;
}

float CsvRows::parse_other_feature(const Row& row, std::size_t column, const char* p) const {
  if (columns_.parts[column] == CsvPart::kCategory) return parse_category(row, column, p);
  const std::string_view text = trim_cell(checked_cell(row, p).text);
  if (columns_.missing.has(text)) return kMissing;
  const bool is_date = columns_.parts[column] == CsvPart::kDate;
  const auto value = is_date ? parse_date(text) : parse_bit(text);
  if (value) return *value;
  fail_cell(row, column, p,
            fmt::format("{0} is not {1} as above; --na-values {2} takes it as missing, {3}",
                        quote_text(text), is_date ? "a date (2024-05-31)" : "true or false", text,
                        ways_out(column)));
}

std::string CsvRows::ways_out(std::size_t column) const {
  const std::string& name = columns_.schema.columns()[column].name;
  const std::vector<std::string>& texts = columns_.texts;
  const bool are_several = texts.size() > 1 && std::ranges::find(texts, name) != texts.end();
  if (!are_several) {
    return fmt::format(
        "--categorical {0} takes its texts as categories, --ignore-columns {0} leaves the column "
        "out, --text-columns ignore all columns of text",
        name);
  }
  return fmt::format(
      "{0} columns hold texts: --categorical {1} takes them as categories, --ignore-columns {1} "
      "leaves the columns out, as --text-columns ignore does",
      texts.size(), fmt::join(texts, ","));
}

void CsvRows::fail_feature(const Row& row, std::size_t column, const char* p,
                           std::string_view text) const {
  if (separator_ != ',' && has_decimal_comma(text)) {
    std::string pointed(text);
    pointed[pointed.find(',')] = '.';
    fail_cell(row, column, p,
              fmt::format("{} has a decimal comma; numbers are written with a point: {}",
                          quote_text(text), pointed));
  }
  fail_cell(row, column, p,
            fmt::format("{} is not a number; a feature is a number, true or false, a date, or "
                        "missing (empty, NA, null, ...); {}",
                        quote_text(text), ways_out(column)));
}

const char* CsvRows::parse_cell(const Row& row, std::size_t column, const char* p) const {
  if (row.table != nullptr) {
    CsvChunkTable& table = *row.table;
    switch (columns_.parts[column]) {
      case CsvPart::kNumber:
      case CsvPart::kBoolean:
      case CsvPart::kDate:
      case CsvPart::kCategory:
      case CsvPart::kIgnored:
        break;
      case CsvPart::kGrade:
        table.grades.push_back(parse_grade(row, column, p));
        break;
      case CsvPart::kWeight:
        table.weights.push_back(parse_not_negative(row, column, p, "weight"));
        break;
      case CsvPart::kQuery:
        add_query(row, column, p);
        break;
      case CsvPart::kDocument: {
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
  const CsvCell cell = checked_cell(row, p);
  if (row.categories != nullptr && columns_.parts[column] == CsvPart::kCategory) {
    const std::string text = csv_cell_value(cell);
    if (!columns_.missing.has(text)) (*row.categories)[column].add(text);
  }
  return cell.after;
}

// Clicks are often true and false: 1 and 0.
float CsvRows::parse_grade(const Row& row, std::size_t column, const char* p) const {
  const auto value = parse_boolean(trim_cell(checked_cell(row, p).text));
  return value ? *value : parse_not_negative(row, column, p, "grade");
}

float CsvRows::parse_not_negative(const Row& row, std::size_t column, const char* p,
                                  std::string_view what) const {
  const std::string_view text = trim_cell(checked_cell(row, p).text);
  if (text.empty()) {
    fail_cell(row, column, p, fmt::format("is empty; a {} is a finite number >= 0", what));
  }
  const auto value = parse_number(text);
  if (!value) {
    fail_cell(
        row, column, p,
        fmt::format("{} is not a number; a {} is a finite number >= 0", quote_text(text), what));
  }
  if (!std::isfinite(*value) || *value < 0) {
    fail_cell(
        row, column, p,
        fmt::format("{} cannot be a {}; it must be a finite number >= 0", quote_text(text), what));
  }
  return *value;
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
  if (count != columns_.parts.size()) {
    fail_in(row, row.begin,
            fmt::format("{} cells, but the header names {} columns", count, columns_.parts.size()));
  }
}

void CsvRows::fail_in(const Row& row, const char* p, std::string_view message) const {
  fail_at(file_, row.piece.text, p, message, row.piece.first_line);
}

void CsvRows::fail_cell(const Row& row, std::size_t column, const char* p,
                        std::string_view message) const {
  check_count(row);  // cells in the wrong columns are the more likely reason
  fail_in(
      row, p,
      fmt::format("column {}: {}", quote_text(columns_.schema.columns()[column].name), message));
}

}  // namespace glassrank
