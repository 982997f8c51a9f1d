#include "glassrank/data/io/csv/csv_first_rows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "glassrank/data/io/csv/csv_cells.h"

namespace glassrank {
namespace {

// What cells so far are: kBits are 0 and 1, which may turn out as numbers or as booleans.
enum class Kind : unsigned char { kBits, kNumbers, kBooleans, kDates, kText };

// Empty if it is missing.
std::optional<Kind> kind_of(const CsvCell& cell, char separator, const MissingWords& missing) {
  const std::string_view text = trim_cell(cell.text);
  if (missing.has(text)) return std::nullopt;
  if (const auto number = parse_number(text)) {
    return *number == 0 || *number == 1 ? Kind::kBits : Kind::kNumbers;
  }
  if (parse_boolean(text)) return Kind::kBooleans;
  if (parse_date(text)) return Kind::kDates;
  // An error of its own, which says so.
  if (separator != ',' && has_decimal_comma(text)) return Kind::kNumbers;
  return Kind::kText;
}

// Empty if a column cannot hold both.
std::optional<Kind> joined(Kind a, Kind b) {
  const auto is_of = [](Kind kind, Kind other) {
    return kind == other ||
           (kind == Kind::kBits && (other == Kind::kNumbers || other == Kind::kBooleans));
  };
  if (is_of(a, b)) return b;
  return is_of(b, a) ? std::optional(a) : std::nullopt;
}

CsvHolds holds(Kind kind) {
  switch (kind) {
    case Kind::kBooleans:
      return CsvHolds::kBooleans;
    case Kind::kDates:
      return CsvHolds::kDates;
    case Kind::kText:
      return CsvHolds::kText;
    default:
      return CsvHolds::kNumbers;
  }
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
  std::vector<CsvColumnHolds> result() const {
    std::vector<CsvColumnHolds> result;
    for (const Found& found : found_) {
      result.push_back({.kind = holds(found.kind.value_or(Kind::kNumbers)),
                        .is_mixed = found.is_mixed,
                        .has_text = found.has_text});
    }
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
    const auto here = kind_of(cell, rows_.separator, missing_);
    if (!here) return;
    Found& found = found_[column];
    const auto both = found.kind ? joined(*found.kind, *here) : here;
    found.has_text = *here == Kind::kText;
    found.is_mixed = !both;
    if (both) found.kind = both;
    const bool is_known =
        found.is_mixed || found.has_text || (*found.kind == Kind::kNumbers && !rows_.finds_text);
    if (!is_known) return;
    is_open_[column] = false;
    --num_open_;
  }

  struct Found {
    std::optional<Kind> kind;
    bool is_mixed = false;
    bool has_text = false;
  };
  const FirstRows& rows_;
  const MissingWords& missing_;
  std::vector<Found> found_;
  std::vector<bool> is_open_;  // columns still looked at
  std::size_t num_open_ = 0;
  std::vector<CsvCell> cells_;
};

}  // namespace

std::vector<CsvColumnHolds> look_at_first_rows(const FirstRows& rows, const Schema& schema,
                                               const MissingWords& missing) {
  ColumnTexts look(rows, schema, missing);
  look.run();
  return look.result();
}

}  // namespace glassrank
