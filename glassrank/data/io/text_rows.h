#pragma once
// Where the rows of a text data file stand: the lines of SVMlight text that are no comments, the
// records of CSV and TSV below the header. For showing a row's line and for copying rows as they
// are.

#include <cstddef>
#include <string_view>

#include "glassrank/base/function_ref.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct TextRow {
  std::size_t row = 0;    // 0-based, in the file's order
  std::size_t line = 0;   // 1-based: its first line
  std::string_view text;  // with its line end
};

struct TextOfRows {
  std::string_view text;  // whole, as in the file
  DataFormat format = DataFormat::kSvmlight;
  char separator = ',';  // of CSV and TSV
};
// As the reader of the format takes a text.
TextOfRows text_of_rows(std::string_view text, DataFormat format, const ReadParams& params);

// Calls body for every row of a text that its reader accepts. O(bytes).
void for_each_text_row(const TextOfRows& rows, FunctionRef<void(const TextRow&)> body);

// The first and last feature id that a row of SVMlight text names; {1, 0} if it names none.
struct FeatureIds {
  std::size_t first = 1;
  std::size_t last = 0;
};
FeatureIds feature_ids_of(std::string_view svmlight_row);

}  // namespace glassrank
