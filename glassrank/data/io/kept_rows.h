#pragma once
// Some rows of a data file in a new file: what is left after cleaning.
//
// Text stays as it was: lines of SVMlight and records of CSV and TSV are copied byte for byte, with
// their comments, number of digits and order, the header and side files (FILE.weight, FILE.names)
// along with them. A cache becomes a cache. SVMlight rows are written anew (formats.h) where a copy
// would read differently: queries from FILE.query, standard input, or no row left that names the
// first or last feature.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"

namespace glassrank {

struct KeptRows {
  std::string from;
  ReadParams read;
  const Dataset& data;              // as read from it
  std::vector<std::uint32_t> rows;  // of the data, ascending, at least one
};

// `to` is compressed by its name (.gz, .zst); its format is that of `from`. Throws Error{kUsage}
// before anything is written when the name of `to` asks for another one, or when a file beside it
// would be read with the new rows but is not of them. Written whole or not at all. check_kept_rows
// asks what can be known before the data is read.
void check_kept_rows(const std::string& from, const ReadParams& read, const std::string& to);
void write_kept_rows(const KeptRows& kept, const std::string& to, const Context& context);

// Rows of a CSV or TSV file, copied: the files are made at once and appear with commit(), so that
// several appear together or not at all.
class CopiedRows {
 public:
  CopiedRows(const KeptRows& kept, const std::string& to, const Context& context);
  CopiedRows(CopiedRows&& other) noexcept;
  ~CopiedRows();
  void commit();

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

// A CSV or TSV file with other grades: every byte but the grades that differ stays. `grades` are in
// the order of `data`, which was read from the file.
void write_regraded(const std::string& from, const ReadParams& read, const Dataset& data,
                    std::span<const float> grades, const std::string& to, const Context& context);

// The line each of the data's `rows` (ascending) stands in; the number of the row, from 1, where
// the file has no lines (a cache) or cannot be read again (standard input).
std::vector<std::size_t> lines_of_rows(const std::string& from, const ReadParams& read,
                                       const Dataset& data, std::span<const std::uint32_t> rows,
                                       const Context& context);

}  // namespace glassrank
