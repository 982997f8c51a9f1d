#pragma once
// What the columns of a CSV file are, from its header and the names in ReadParams.

#include <string_view>

#include "glassrank/data/io/formats.h"
#include "glassrank/data/schema.h"

namespace glassrank {

// A text that is being read: its name for messages, its bytes without a byte order mark.
struct CsvText {
  std::string_view name;
  std::string_view bytes;
  char separator = ',';
};

struct CsvHeader {
  Schema schema;          // a column for each of the header's
  std::string_view body;  // what follows the header
};

// Throws Error{kInput}: no header, a column without a name or with another's, a column that
// `params` names and the header does not. `query_elsewhere`: a side file gives the queries, the
// query column may be absent.
CsvHeader read_csv_header(const CsvText& text, const ReadParams& params, bool query_elsewhere);

}  // namespace glassrank
