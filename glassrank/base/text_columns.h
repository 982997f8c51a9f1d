#pragma once
// Rows of cells as aligned text: columns as wide as their widest cell, two spaces apart.
// Cells stand to the left unless their column is for numbers. Widths count characters (UTF-8 code
// points), not bytes. No trailing spaces.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

// A text as one cell of a table: tabs and line ends within it become spaces. Names of queries,
// documents and features may hold any character.
std::string table_cell(std::string_view text);

// A bar of marks, of 20 for the largest amount; empty where nothing is above 0.
std::string text_bar(double amount, double largest, char mark = '#');

class TextColumns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Cells of this column, the header too, stand to the right.
  void align_right(std::size_t column) { right_.insert(column); }
  // One line per row, each ending in a newline.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::set<std::size_t> right_;
};

}  // namespace glassrank
