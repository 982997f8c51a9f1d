#include "glassrank/data/io/csv/csv_columns.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/csv/csv_first_rows.h"
#include "glassrank/data/io/csv/csv_roles.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

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

// Where pandas puts row numbers, under no name or one it makes up when it reads them again.
bool is_row_number_column(const HeaderCells& header, std::size_t column) {
  return column == 0 && header.names.size() > 1 &&
         (header.names[0].empty() || header.names[0] == "Unnamed: 0");
}

void check_names(const CsvText& text, const HeaderCells& header) {
  const auto& names = header.names;
  if (std::ranges::all_of(names, [](const auto& name) { return parse_number(name).has_value(); })) {
    fail_at(text.name, text.bytes, header.places[0],
            "the first line holds numbers; it must name the columns");
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (is_row_number_column(header, c)) continue;
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

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    shown.push_back(quote_text(names[i]));
  }
  if (names.size() > kMost) shown.push_back(fmt::format("{} more", names.size() - kMost));
  return fmt::format("{}", fmt::join(shown, ", "));
}

// Columns that are not as plain as their names, for the notice.
struct Notes {
  std::vector<std::string> booleans;
  std::vector<std::string> dates;
  std::vector<std::string> texts;     // ignored
  std::vector<std::string> left_out;  // with the reason
};

CsvPart part_of_role(ColumnRole role) {
  switch (role) {
    case ColumnRole::kGrade:
      return CsvPart::kGrade;
    case ColumnRole::kQuery:
      return CsvPart::kQuery;
    case ColumnRole::kDocument:
      return CsvPart::kDocument;
    case ColumnRole::kWeight:
      return CsvPart::kWeight;
    case ColumnRole::kIgnored:
      return CsvPart::kIgnored;
    default:
      return CsvPart::kNumber;
  }
}

// Sets the parts; columns of text lose their place among the features.
void take_first_rows(const std::vector<CsvColumnHolds>& holds, const ReadParams& params,
                     std::vector<SchemaColumn>& columns, std::vector<CsvPart>& parts,
                     Notes& notes) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    SchemaColumn& column = columns[c];
    if (column.role == ColumnRole::kFeature && is_named_category(column.name, params)) {
      parts.push_back(CsvPart::kNumber);  // texts become codes once all are known
      continue;
    }
    const bool has_text = holds[c].has_text || holds[c].is_mixed;
    if (column.role == ColumnRole::kFeature && has_text &&
        params.text_columns == TextColumnUse::kIgnore) {
      column.role = ColumnRole::kIgnored;
      notes.texts.push_back(column.name);
    }
    CsvPart part = part_of_role(column.role);
    if (column.role == ColumnRole::kFeature && holds[c].kind == CsvHolds::kBooleans) {
      part = CsvPart::kBoolean;
      notes.booleans.push_back(column.name);
    }
    if (column.role == ColumnRole::kFeature && holds[c].kind == CsvHolds::kDates) {
      part = CsvPart::kDate;
      notes.dates.push_back(column.name);
    }
    parts.push_back(part);
  }
}

std::string notice_of(const CsvText& text, const Schema& schema, const RolesFound& found,
                      const Notes& notes) {
  const bool lacks_grades = !schema.has(ColumnRole::kGrade);
  std::string notice = roles_notice(text.name, schema, {.parts = found.parts});
  if (!notes.booleans.empty()) {
    notice += fmt::format("; true and false are 1 and 0 in {}", quoted_list(notes.booleans));
  }
  if (!notes.dates.empty()) {
    notice += fmt::format("; dates are days since 1970 in {}", quoted_list(notes.dates));
  }
  std::vector<std::string> unread = notes.left_out;
  unread.insert(unread.end(), found.left_out.begin(), found.left_out.end());
  if (!notes.texts.empty()) unread.push_back(fmt::format("text in {}", quoted_list(notes.texts)));
  if (!unread.empty()) notice += fmt::format("; not read: {}", fmt::join(unread, ", "));
  const bool is_plain = found.are_ours && !lacks_grades && notes.booleans.empty() &&
                        notes.dates.empty() && unread.empty();
  return is_plain ? "" : notice;
}

// The features that hold a text, if there are any: the look ends at a first number otherwise.
std::vector<std::string> features_of_text(FirstRows rows, const CsvColumns& columns) {
  rows.finds_text = true;
  const auto holds = look_at_first_rows(rows, columns.schema, columns.missing);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < holds.size(); ++c) {
    if (holds[c].has_text) names.push_back(columns.schema.columns()[c].name);
  }
  return names;
}

void refuse_letor(const CsvText& text, const char* begin) {
  const std::string_view rest(begin, text.bytes.data() + text.bytes.size());
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const bool has_grade = parse_number(line.substr(0, line.find(' '))).has_value();
  if (!line.starts_with("qid:") && !(has_grade && line.find(" qid:") != line.npos)) return;
  fail_at(text.name, text.bytes, begin,
          "this is LETOR text, not columns under a header; --read.format svmlight reads it");
}

// The header of a text that is one; throws otherwise.
HeaderCells checked_header(const CsvText& text, const char* begin) {
  if (begin == text.bytes.data() + text.bytes.size()) {
    fail(ErrorKind::kInput, "{}: the file is empty; its first line must name the columns",
         text.name);
  }
  constexpr std::size_t kLookedAt = 4096;
  const std::size_t zero = text.bytes.substr(0, kLookedAt).find('\0');
  if (zero != std::string_view::npos) {
    fail_at(text.name, text.bytes, text.bytes.data() + zero,
            "a zero byte; this is not a text file, CSV and TSV are UTF-8 text");
  }
  refuse_letor(text, begin);
  HeaderCells header = split_header(text, begin);
  check_names(text, header);
  return header;
}

}  // namespace

CsvHeader read_csv_header(const CsvText& text, const ReadParams& params, bool query_elsewhere) {
  const char* const end = text.bytes.data() + text.bytes.size();
  const char* const begin = skip_empty_csv_records(text.bytes.data(), end);
  HeaderCells header = checked_header(text, begin);
  const char* const body = next_csv_record(header.after, end);

  Notes notes;
  std::vector<SchemaColumn> columns;
  for (std::size_t c = 0; c < header.names.size(); ++c) {
    columns.push_back({.name = header.names[c]});
    if (!is_row_number_column(header, c)) continue;
    columns.back().role = ColumnRole::kIgnored;
    notes.left_out.emplace_back(header.names[c].empty() ? "the first column, which has no name"
                                                        : "'Unnamed: 0' (row numbers)");
  }
  for (const std::string& name : params.ignore_columns) {
    named_column(text, begin, name, "ignore_columns", columns).role = ColumnRole::kIgnored;
  }
  const RolesFound found = assign_roles(text, begin, params, query_elsewhere, columns);

  CsvHeader result;
  result.body = {body, static_cast<std::size_t>(end - body)};
  result.columns.missing = MissingWords(params.na_values);
  const bool ignores_text = params.text_columns == TextColumnUse::kIgnore;
  const FirstRows rows{
      .body = result.body, .separator = text.separator, .finds_text = ignores_text};
  const auto holds = look_at_first_rows(rows, Schema(columns), result.columns.missing);
  take_first_rows(holds, params, columns, result.columns.parts, notes);
  result.columns.schema = Schema(std::move(columns));
  const bool any_text = std::ranges::any_of(holds, &CsvColumnHolds::has_text);
  if (any_text && !ignores_text) {
    result.columns.texts = features_of_text(rows, result.columns);
    std::erase_if(result.columns.texts,
                  [&](const std::string& name) { return is_named_category(name, params); });
  }
  result.notice = notice_of(text, result.columns.schema, found, notes);
  return result;
}

}  // namespace glassrank
