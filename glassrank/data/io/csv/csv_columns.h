#pragma once
// What the columns of a CSV file are, from its header and the names in ReadParams.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/io/formats.h"

namespace glassrank {

enum class CsvRole : unsigned char { kFeature, kGrade, kQuery, kDocument, kWeight };

struct CsvColumns {
  std::vector<std::string> names;
  std::vector<CsvRole> roles;  // one per column; features keep their order
  bool has_query = false;
  bool has_document = false;
  bool has_weight = false;

  std::vector<std::string> feature_names() const;
};

// A text that is being read: its name for messages, its bytes without a byte order mark.
struct CsvText {
  std::string_view name;
  std::string_view bytes;
  char separator = ',';
};

struct CsvHeader {
  CsvColumns columns;
  std::string_view body;  // what follows the header
};

// Throws Error{kInput}: no header, a column without a name or with another's, a column that
// `params` names and the header does not. `query_elsewhere`: a side file gives the queries, the
// query column may be absent.
CsvHeader read_csv_header(const CsvText& text, const ReadParams& params, bool query_elsewhere);

}  // namespace glassrank
