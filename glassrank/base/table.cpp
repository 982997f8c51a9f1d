#include "glassrank/base/table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/fixed_text.h"
#include "glassrank/base/json.h"
#include "glassrank/base/result.h"
#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

std::string shown_number(double value, const Column& column) {
  if (std::isnan(value)) return "-";
  switch (column.notation) {
    case Notation::kFixed:
      return fixed_text(value, column.digits);
    case Notation::kSignificant:
      return fmt::format("{:.{}g}", value, column.digits);
    case Notation::kPercent:
      return column.digits < 0 ? fmt::format("{:g} %", 100 * value)
                               : fixed_text(100 * value, column.digits) + " %";
    case Notation::kShortest:
      break;
  }
  return fmt::format("{}", value);
}

std::string exact_text(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<float>(&cell)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return table_cell(*text);
  return {};
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json cell_json(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* text = std::get_if<std::string>(&cell)) return valid_utf8(*text);
  if (const auto* number = std::get_if<float>(&cell)) return json_number(*number);
  if (const auto* number = std::get_if<double>(&cell)) return json_number(*number);
  return nullptr;
}

std::string markdown_cell(std::string_view text) {
  std::string escaped;
  for (const char c : table_cell(text)) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

void Table::add(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

bool Table::is_numeric(std::size_t column) const {
  const auto is_text = [&](const auto& row) {
    return std::holds_alternative<std::string>(row[column]);
  };
  const auto has_value = [&](const auto& row) {
    return !std::holds_alternative<std::monostate>(row[column]);
  };
  return std::ranges::none_of(rows_, is_text) && std::ranges::any_of(rows_, has_value);
}

std::string Table::shown(std::size_t row, std::size_t column) const {
  const Cell& cell = rows_[row][column];
  if (const auto* number = std::get_if<double>(&cell)) {
    return shown_number(*number, columns_[column]);
  }
  if (const auto* number = std::get_if<float>(&cell); number != nullptr && std::isnan(*number)) {
    return "-";
  }
  return exact_text(cell);
}

std::string table_text(const Table& table) {
  TextColumns columns;
  std::vector<std::string> header;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    header.push_back(table_cell(table.columns()[c].name));
    if (table.is_numeric(c)) columns.align_right(c);
  }
  columns.add(std::move(header));
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < table.columns().size(); ++c) row.push_back(table.shown(r, c));
    columns.add(std::move(row));
  }
  return columns.text();
}

std::string table_tsv(const Table& table) {
  std::string text;
  for (const Column& column : table.columns()) {
    if (&column != &table.columns().front()) text += '\t';
    text += table_cell(column.name);
  }
  text += '\n';
  for (const auto& row : table.rows()) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += '\t';
      text += exact_text(row[c]);
    }
    text += '\n';
  }
  return text;
}

std::string table_markdown(const Table& table) {
  std::string text = "|";
  for (const Column& column : table.columns()) {
    text += fmt::format(" {} |", markdown_cell(column.name));
  }
  text += "\n|";
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    text += table.is_numeric(c) ? "---:|" : "---|";
  }
  text += '\n';
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    text += '|';
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
      text += fmt::format(" {} |", markdown_cell(table.shown(r, c)));
    }
    text += '\n';
  }
  return text;
}

Json table_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows()) {
    Json entry = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
      entry[valid_utf8(table.columns()[c].name)] = cell_json(row[c]);
    }
    rows.push_back(std::move(entry));
  }
  return rows;
}

}  // namespace glassrank
