#pragma once
// A table of numbers and text. Its cells are values; how many digits a person sees is said once a
// column. Text columns, TSV, JSON and Markdown are views, and nothing reads them back.
//
//   view        number                       NaN     no value
//   text, md    as the column says           -       (empty)
//   TSV         shortest that reads back     nan     (empty)
//   JSON        number                       null    null

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "glassrank/base/json_fwd.h"

namespace glassrank {

// float: its own shortest text, which the same number as double would not have.
using Cell = std::variant<std::monostate, std::int64_t, float, double, std::string>;

// Of a number of any type, or a text.
template <typename T>
Cell cell(T&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return value;
  } else {
    return std::string(std::forward<T>(value));
  }
}

// How numbers that are not whole look to a person.
enum class Notation {
  kFixed,        // 0.1235: digits behind the point
  kSignificant,  // 0.12: digits in all
  kPercent,      // 12.3 %: of a share, digits behind the point; -1: as few as there are
  kShortest,     // as many as read back to the same number
};

struct Column {
  std::string name;
  Notation notation = Notation::kFixed;
  int digits = 4;
};

class Table {
 public:
  Table() = default;
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Cells in the order of the columns; as many as there are columns.
  void add(std::vector<Cell> row);
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  // A column without text, at least one of whose cells has a value.
  bool is_numeric(std::size_t column) const;
  // A cell as a person reads it.
  std::string shown(std::size_t row, std::size_t column) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// Aligned columns (text_columns.h), numbers to the right, a header line.
std::string table_text(const Table& table);
// Full precision, a header line; tabs and line ends within text become spaces.
std::string table_tsv(const Table& table);
std::string table_markdown(const Table& table);
// A list of objects whose keys are the columns' names.
Json table_json(const Table& table);

}  // namespace glassrank
