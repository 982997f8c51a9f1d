#include "glassrank/report/studies/study_result.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

void append_line(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) text += '\t';
    text += table_cell(cells[c]);
  }
  text += '\n';
}

}  // namespace

std::string tsv_text(const ReportTable& table) {
  std::string text;
  append_line(text, table.header);
  for (const auto& row : table.rows) append_line(text, row);
  return text;
}

std::string number_cell(double value) { return fmt::format("{}", value); }

std::vector<std::size_t> even_rounds(std::size_t num_rounds, std::size_t steps) {
  std::vector<std::size_t> rounds;
  if (num_rounds == 0) return rounds;
  rounds.push_back(1);
  const std::size_t parts = std::max<std::size_t>(steps, 2) - 1;
  for (std::size_t i = 1; i <= parts; ++i) {
    const std::size_t round = std::max<std::size_t>(num_rounds * i / parts, 1);
    if (round != rounds.back()) rounds.push_back(round);
  }
  return rounds;
}

}  // namespace glassrank
