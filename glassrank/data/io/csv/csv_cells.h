#pragma once
// The lexical layer of CSV (RFC 4180): cells, records, and cutting a text into chunks of whole
// records that can be parsed apart.
//
// A cell whose first byte is a quote runs to the closing quote; inside, "" stands for one quote and
// separators and line ends are plain bytes. A quote later in a cell is a plain byte. Records end at
// LF or CRLF; empty ones do not count. Nothing here allocates or fails: what is malformed is marked
// on the cell, and a record with an unclosed quote runs to the end of the text.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

struct CsvCell {
  std::string_view text;  // without the outer quotes; "" not yet undone
  bool quoted = false;
  bool unclosed = false;          // the closing quote is missing
  bool text_after_quote = false;  // as in "a"b
  const char* after = nullptr;    // a separator, the CR or LF that ends the record, or the end
};

CsvCell read_csv_cell(const char* begin, const char* end, char separator);

// The cell's value: "" undone if quoted, spaces and tabs around it removed if not.
std::string csv_cell_value(const CsvCell& cell);
std::string_view trim_cell(std::string_view text);

// True at the end of a record: LF, CR LF, or the end of the text (also after a lone last CR).
inline bool at_csv_record_end(const char* p, const char* end) {
  return p == end || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}
// The begin of the next record, given a place where at_csv_record_end() holds.
inline const char* next_csv_record(const char* p, const char* end) {
  if (p != end && *p == '\r') ++p;
  return p == end ? end : p + 1;
}

// Where the record ends that `p` is in, at the begin of a cell. One memchr() where it has no
// quotes.
const char* end_of_csv_record(const char* p, const char* end, char separator);

// Skips empty records; `end` if there is no other.
const char* skip_empty_csv_records(const char* p, const char* end);

struct CsvChunk {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::size_t first_row = 0;  // of the chunk, counting records that are not empty
  std::size_t num_rows = 0;
};

// Cuts a text into consecutive chunks of whole records. Sequential: two memchr() passes over the
// text where there are no quotes.
class CsvCutter {
 public:
  CsvCutter(std::string_view text, char separator);
  // The next records, of at least `chunk_bytes` together unless the text ends; none at its end.
  CsvChunk next(std::size_t chunk_bytes);
  bool at_end() const { return p_ == end_; }

 private:
  const char* p_;
  const char* end_;
  const char* next_quote_;
  char separator_;
  std::size_t num_rows_ = 0;
};

}  // namespace glassrank
