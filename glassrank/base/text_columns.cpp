#include "glassrank/base/text_columns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace glassrank {
namespace {

// Every byte but the continuation bytes 10xxxxxx starts a character.
std::size_t width(std::string_view cell) {
  return static_cast<std::size_t>(std::ranges::count_if(
      cell, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string text_bar(double amount, double largest, char mark) {
  constexpr double kLength = 20;
  if (!(largest > 0) || !(amount > 0)) return "";
  return std::string(static_cast<std::size_t>(std::lround(kLength * amount / largest)), mark);
}

std::string table_cell(std::string_view text) {
  std::string cell(text);
  std::ranges::replace_if(cell, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return cell;
}

std::string TextColumns::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - width(row[c]), ' ');
      line += right_.contains(c) ? blanks + row[c] : row[c] + blanks;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace glassrank
