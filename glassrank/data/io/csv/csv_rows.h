#pragma once
// The rows of a CSV text: parses one chunk of records at a time, any chunks at once.
//
// A feature cell is a finite number (float32, nearest), or in columns of that kind true or false or
// a date, or missing (csv_values.h). Spaces and tabs around a number are allowed. A grade and a
// weight are finite numbers >= 0, a query id is not empty. A record has as many cells as the
// header.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/data/io/categories.h"
#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/csv/csv_chunks.h"
#include "glassrank/data/io/csv/csv_columns.h"
#include "glassrank/data/io/group_rows.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Everything of one chunk but its features.
struct CsvChunkTable {
  std::size_t num_rows = 0;
  std::vector<float> grades;  // empty if there is no such column, as all below
  std::vector<float> weights;
  std::vector<QueryRun> queries;
  std::string documents;  // one after the other
  std::vector<std::size_t> document_sizes;
};

// The codes of a column's categories, by text.
using CategoryCodes = std::map<std::string, float, std::less<>>;

class CsvRows {
 public:
  // Keeps a reference to the name.
  CsvRows(std::string_view file, char separator, CsvColumns columns);

  struct Output {
    float* features = nullptr;       // null: feature cells are skipped unread
    std::size_t row_stride = 0;      // floats from one row to the next
    CsvChunkTable* table = nullptr;  // null: the other cells are skipped unread
    const RowSink* sink = nullptr;   // rows it does not want are skipped unread
    // Null: not counted. By column, for columns of categories.
    std::vector<CategoryCounts>* categories = nullptr;
  };
  // Texts of this column's cells are categories with these codes from now on; others have the code
  // behind the last.
  void set_codes(std::size_t column, CategoryCodes codes);
  // Throws the chunk's first Error{kInput} "file:line:col: ...".
  void parse(const CsvPiece& piece, const Output& output) const;

 private:
  struct Row;
  const char* parse_record(Row& row) const;
  const char* parse_cell(const Row& row, std::size_t column, const char* p) const;
  const char* parse_feature(const Row& row, std::size_t column, const char* p, float& value) const;
  float parse_category(const Row& row, std::size_t column, const char* p) const;
  float parse_slow_feature(const Row& row, std::size_t column, const char* p) const;
  float parse_other_feature(const Row& row, std::size_t column, const char* p) const;
  [[noreturn]] void fail_feature(const Row& row, std::size_t column, const char* p,
                                 std::string_view text) const;
  // What to do about a column that is not of one kind, for messages.
  std::string ways_out(std::size_t column) const;
  float parse_grade(const Row& row, std::size_t column, const char* p) const;
  float parse_not_negative(const Row& row, std::size_t column, const char* p,
                           std::string_view what) const;
  void add_query(const Row& row, std::size_t column, const char* p) const;
  CsvCell checked_cell(const Row& row, const char* p) const;
  std::size_t count_cells(const char* p, const char* end) const;
  [[noreturn]] void fail_in(const Row& row, const char* p, std::string_view message) const;
  [[noreturn]] void fail_cell(const Row& row, std::size_t column, const char* p,
                              std::string_view message) const;
  void check_count(const Row& row) const;

  std::string_view file_;
  char separator_;
  CsvColumns columns_;
  bool has_missing_numbers_;
  std::size_t num_table_columns_ = 0;  // only features are behind these
  std::vector<CategoryCodes> codes_;   // by column; empty: numbers
};

}  // namespace glassrank
