#pragma once
// What a study hands over: all its numbers, a small table to read, sentences, a picture.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/report/html_report.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct StudyResult {
  ReportTable data;                            // for the TSV file
  std::vector<std::size_t> name_columns = {};  // of data: texts, also "0012"; others: numbers
  ReportTable shown;                           // for people
  std::vector<std::string> notes = {};         // below the table
  std::vector<std::pair<std::string, double>> facts = {};  // for programs
  Picture picture;
};

// Tab-separated with a header line; tabs and line ends within cells become spaces.
std::string tsv_text(const ReportTable& table);

// The shortest text that reads back to the same number; "nan" for NaN.
std::string number_cell(double value);

// 1, then `steps` - 1 rounds evenly up to num_rounds, each once; nothing for 0 rounds.
std::vector<std::size_t> even_rounds(std::size_t num_rounds, std::size_t steps);

}  // namespace glassrank
