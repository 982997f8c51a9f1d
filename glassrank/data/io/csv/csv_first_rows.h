#pragma once
// What the features of a CSV file hold, as far as its first rows tell.

#include <string_view>
#include <vector>

#include "glassrank/data/io/csv/csv_columns.h"

namespace glassrank {

struct FirstRows {
  std::string_view body;  // the text behind the header
  char separator = ',';
  bool finds_text = false;  // columns of numbers are looked at for a text too
};

enum class CsvHolds : unsigned char { kNumbers, kBooleans, kDates, kText };

struct CsvColumnHolds {
  CsvHolds kind = CsvHolds::kNumbers;  // of the first cells
  bool is_mixed = false;               // a later cell is of another kind
  bool has_text = false;               // and that, or the first, is a text
};

// Of every column; of those that are no features, kNumbers. 0 and 1 are numbers, but booleans
// beside true and false. Malformed records end the look: they are the parser's to report. Cost:
// until every column is known, at most kFirstRowsBytes.
std::vector<CsvColumnHolds> look_at_first_rows(const FirstRows& rows, const Schema& schema,
                                               const MissingWords& missing);

}  // namespace glassrank
