#pragma once
// What the columns of a CSV file are: their names and parts from its header and ReadParams, what a
// feature's cells hold from the first rows.
//
// A feature is numbers unless its first rows say otherwise: true and false (with 0 and 1 among
// them), or dates (csv_values.h); of several kinds, what the first cells are. What is looked at are
// whole records of the first megabyte; a column of plain numbers is known from its first value but
// 0 and 1. A cell of another kind is the parser's error, in the row where it stands, unless columns
// of text are to be ignored: then a column with such a cell in these rows is.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/io/csv/csv_values.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/schema.h"

namespace glassrank {

// A text that is being read: its name for messages, its bytes without a byte order mark.
struct CsvText {
  std::string_view name;
  std::string_view bytes;
  char separator = ',';
};

// What the cells of a column are read as.
enum class CsvPart : unsigned char {
  kNumber,
  kBoolean,
  kDate,
  kCategory,
  kIgnored,
  kGrade,
  kQuery,
  kDocument,
  kWeight
};
inline bool is_feature(CsvPart part) { return part <= CsvPart::kCategory; }

struct CsvColumns {
  Schema schema;               // a column for each of the header's
  std::vector<CsvPart> parts;  // of each
  MissingWords missing;
  std::vector<std::string> texts;  // names of features in which texts were seen: errors to come
};

// Bytes behind the header that are looked at.
inline constexpr std::size_t kFirstRowsBytes = std::size_t{1} << 20;

struct CsvHeader {
  CsvColumns columns;
  std::string_view body;  // what follows the header
  // What was taken for what, in a line; empty if all of it is as it is named.
  std::string notice;
};

// Throws Error{kInput}: no header, a column without a name or with another's (but for the first,
// where pandas writes row numbers: it is ignored), a column that `params` names and the header
// does not have. `query_elsewhere`: a side file gives the queries, the query column may be absent.
CsvHeader read_csv_header(const CsvText& text, const ReadParams& params, bool query_elsewhere);

}  // namespace glassrank
