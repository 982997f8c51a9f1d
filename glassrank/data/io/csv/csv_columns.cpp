#include "glassrank/data/io/csv/csv_columns.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fast_float/fast_float.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, value);
  return !text.empty() && error == std::errc{} && stop == end;
}

struct HeaderCells {
  std::vector<std::string> names;
  std::vector<const char*> places;
  const char* after = nullptr;
};

HeaderCells split_header(const CsvText& text, const char* p) {
  const char* const end = text.bytes.data() + text.bytes.size();
  HeaderCells header;
  for (;; ++p) {
    const CsvCell cell = read_csv_cell(p, end, text.separator);
    if (cell.unclosed) fail_at(text.name, text.bytes, p, "the quote that opens here is not closed");
    if (cell.text_after_quote) {
      fail_at(text.name, text.bytes, p,
              "text after a closing quote; a quote inside is written \"\"");
    }
    header.names.push_back(csv_cell_value(cell));
    header.places.push_back(p);
    p = cell.after;
    if (at_csv_record_end(p, end)) break;
  }
  header.after = p;
  return header;
}

void check_names(const CsvText& text, const HeaderCells& header) {
  const auto& names = header.names;
  if (std::ranges::all_of(names, is_number)) {
    fail_at(text.name, text.bytes, header.places[0],
            "the first line holds numbers; it must name the columns");
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c].empty()) {
      fail_at(text.name, text.bytes, header.places[c],
              fmt::format("column {} has no name; every column needs one", c + 1));
    }
    const auto [earlier, is_new] = seen.emplace(names[c], c);
    if (!is_new) {
      fail_at(text.name, text.bytes, header.places[c],
              fmt::format("column {} is named {} like column {}; names must differ", c + 1,
                          quote_text(names[c]), earlier->second + 1));
    }
  }
}

// The roles other than feature, and how ReadParams names them.
struct NamedRole {
  ColumnRole role;
  std::string_view parameter;
  const std::string& name;
  const std::string& default_name;
  bool required;
};

void assign_role(const CsvText& text, const NamedRole& wanted, const char* header_place,
                 std::vector<SchemaColumn>& columns) {
  if (wanted.name.empty()) {
    if (!wanted.required) return;
    fail(ErrorKind::kUsage, "{}: {} is empty; it must name a column", text.name, wanted.parameter);
  }
  const auto found = std::ranges::find(columns, wanted.name, &SchemaColumn::name);
  if (found == columns.end()) {
    if (!wanted.required && wanted.name == wanted.default_name) return;
    std::vector<std::string> names;
    for (const SchemaColumn& column : columns) names.push_back(column.name);
    const auto nearest = nearest_name(wanted.name, names);
    const std::string hint = nearest ? fmt::format("did you mean {}?", quote_text(*nearest))
                                     : fmt::format("set {} to the column to use", wanted.parameter);
    fail_at(
        text.name, text.bytes, header_place,
        fmt::format("no column '{}' ({}) in the header; {}", wanted.name, wanted.parameter, hint));
  }
  if (found->role != ColumnRole::kFeature) {
    fail(ErrorKind::kUsage, "{}: {} names column '{}', which already has another part", text.name,
         wanted.parameter, wanted.name);
  }
  found->role = wanted.role;
}

}  // namespace

CsvHeader read_csv_header(const CsvText& text, const ReadParams& params, bool query_elsewhere) {
  const char* const end = text.bytes.data() + text.bytes.size();
  const char* const begin = skip_empty_csv_records(text.bytes.data(), end);
  if (begin == end) {
    fail(ErrorKind::kInput, "{}: the file is empty; its first line must name the columns",
         text.name);
  }
  constexpr std::size_t kLookedAt = 4096;
  const std::size_t zero = text.bytes.substr(0, kLookedAt).find('\0');
  if (zero != std::string_view::npos) {
    fail_at(text.name, text.bytes, text.bytes.data() + zero,
            "a zero byte; this is not a text file, CSV and TSV are UTF-8 text");
  }
  HeaderCells header = split_header(text, begin);
  check_names(text, header);

  std::vector<SchemaColumn> columns;
  for (std::string& name : header.names) columns.push_back({.name = std::move(name)});
  const ReadParams defaults;
  const auto assign = [&](ColumnRole role, std::string_view parameter,
                          std::string ReadParams::* name, bool required) {
    assign_role(text, {role, parameter, params.*name, defaults.*name, required}, begin, columns);
  };
  assign(ColumnRole::kGrade, "grade_column", &ReadParams::grade_column, true);
  assign(ColumnRole::kQuery, "query_column", &ReadParams::query_column, !query_elsewhere);
  assign(ColumnRole::kDocument, "document_column", &ReadParams::document_column, false);
  assign(ColumnRole::kWeight, "weight_column", &ReadParams::weight_column, false);
  const char* const body = next_csv_record(header.after, end);
  return {.schema = Schema(std::move(columns)),
          .body = {body, static_cast<std::size_t>(end - body)}};
}

}  // namespace glassrank
