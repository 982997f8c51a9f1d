#include "glassrank/data/io/csv/csv_first_rows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "glassrank/data/io/csv/csv_cells.h"

namespace glassrank {
namespace {

// Empty if it is missing.
std::optional<CsvHolds> holds(const CsvCell& cell, char separator, const MissingWords& missing) {
  const std::string_view text = trim_cell(cell.text);
  if (missing.has(text)) return std::nullopt;
  if (parse_number(text)) return CsvHolds::kNumbers;
  if (parse_boolean(text)) return CsvHolds::kBooleans;
  if (parse_date(text)) return CsvHolds::kDates;
  // An error of its own, which says so.
  if (separator != ',' && has_decimal_comma(text)) return CsvHolds::kNumbers;
  return CsvHolds::kText;
}

class ColumnTexts {
 public:
  ColumnTexts(const FirstRows& rows, const Schema& schema, const MissingWords& missing)
      : rows_(rows), missing_(missing), found_(schema.columns().size()) {
    for (const SchemaColumn& column : schema.columns()) {
      is_open_.push_back(column.role == ColumnRole::kFeature);
    }
    num_open_ = static_cast<std::size_t>(std::ranges::count(is_open_, true));
  }

  void run() {
    const bool is_whole = rows_.body.size() <= kFirstRowsBytes;
    const char* const end = rows_.body.data() + std::min(rows_.body.size(), kFirstRowsBytes);
    const char* p = skip_empty_csv_records(rows_.body.data(), end);
    while (p != end && num_open_ > 0) {
      if (!split_record(p, end)) return;
      if (!is_whole && cells_.back().after == end) return;  // it may go on
      for (std::size_t c = 0; c < cells_.size(); ++c) {
        if (is_open_[c]) add(c, cells_[c]);
      }
      p = skip_empty_csv_records(next_csv_record(cells_.back().after, end), end);
    }
  }
  std::vector<CsvHolds> result() const {
    std::vector<CsvHolds> result;
    for (const auto& found : found_) result.push_back(found.value_or(CsvHolds::kNumbers));
    return result;
  }

 private:
  // False if the record is not well formed.
  bool split_record(const char* p, const char* end) {
    cells_.clear();
    for (;; ++p) {
      cells_.push_back(read_csv_cell(p, end, rows_.separator));
      const CsvCell& cell = cells_.back();
      if (cell.unclosed || cell.text_after_quote) return false;
      p = cell.after;
      if (at_csv_record_end(p, end)) return cells_.size() == found_.size();
      if (cells_.size() == found_.size()) return false;
    }
  }
  void add(std::size_t column, const CsvCell& cell) {
    const auto here = holds(cell, rows_.separator, missing_);
    if (!here) return;
    auto& found = found_[column];
    found = found && *found != *here ? CsvHolds::kText : *here;
    const bool is_known =
        *found == CsvHolds::kText || (*found == CsvHolds::kNumbers && !rows_.finds_text);
    if (!is_known) return;
    is_open_[column] = false;
    --num_open_;
  }

  const FirstRows& rows_;
  const MissingWords& missing_;
  std::vector<std::optional<CsvHolds>> found_;
  std::vector<bool> is_open_;  // columns still looked at
  std::size_t num_open_ = 0;
  std::vector<CsvCell> cells_;
};

}  // namespace

std::vector<CsvHolds> look_at_first_rows(const FirstRows& rows, const Schema& schema,
                                         const MissingWords& missing) {
  ColumnTexts look(rows, schema, missing);
  look.run();
  return look.result();
}

}  // namespace glassrank
