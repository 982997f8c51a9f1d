#include "glassrank/data/io/csv/csv_cells.h"

#include <cstring>

namespace glassrank {
namespace {

const char* find_byte(const char* begin, const char* end, char byte) {
  if (begin == end) return end;
  const void* found = std::memchr(begin, byte, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

const char* end_of_plain_cell(const char* p, const char* end, char separator) {
  while (p != end && *p != separator && !at_csv_record_end(p, end)) ++p;
  return p;
}

// Where the record that begins at `p` ends, following its quotes.
const char* end_of_quoted_record(const char* p, const char* end, char separator) {
  for (;;) {
    p = read_csv_cell(p, end, separator).after;
    if (at_csv_record_end(p, end)) return p;
    ++p;
  }
}

}  // namespace

CsvCell read_csv_cell(const char* begin, const char* end, char separator) {
  CsvCell cell;
  if (begin == end || *begin != '"') {
    cell.after = end_of_plain_cell(begin, end, separator);
    cell.text = {begin, static_cast<std::size_t>(cell.after - begin)};
    return cell;
  }
  cell.quoted = true;
  const char* quote = find_byte(begin + 1, end, '"');
  while (quote != end && quote + 1 != end && quote[1] == '"')
    quote = find_byte(quote + 2, end, '"');
  cell.text = {begin + 1, static_cast<std::size_t>(quote - begin - 1)};
  if (quote == end) {
    cell.unclosed = true;
    cell.after = end;
    return cell;
  }
  cell.after = end_of_plain_cell(quote + 1, end, separator);
  cell.text_after_quote = cell.after != quote + 1;
  return cell;
}

std::string_view trim_cell(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string csv_cell_value(const CsvCell& cell) {
  if (!cell.quoted) return std::string(trim_cell(cell.text));
  std::string value;
  value.reserve(cell.text.size());
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    value += cell.text[i];
    if (cell.text[i] == '"') ++i;  // the second of a pair
  }
  return value;
}

const char* end_of_csv_record(const char* p, const char* end, char separator) {
  const char* const stop = find_byte(p, end, '\n');
  return find_byte(p, stop, '"') == stop ? stop : end_of_quoted_record(p, end, separator);
}

const char* skip_empty_csv_records(const char* p, const char* end) {
  while (p != end && at_csv_record_end(p, end)) p = next_csv_record(p, end);
  return p;
}

CsvCutter::CsvCutter(std::string_view text, char separator)
    : p_(text.data()),
      end_(text.data() + text.size()),
      next_quote_(find_byte(p_, end_, '"')),
      separator_(separator) {}

CsvChunk CsvCutter::next(std::size_t chunk_bytes) {
  CsvChunk chunk{.begin = p_, .end = p_, .first_row = num_rows_, .num_rows = 0};
  while (p_ != end_ && static_cast<std::size_t>(p_ - chunk.begin) < chunk_bytes) {
    const char* stop = p_;
    if (!at_csv_record_end(p_, end_)) {
      ++num_rows_;
      stop = find_byte(p_, end_, '\n');
      if (next_quote_ < stop) {
        stop = end_of_quoted_record(p_, end_, separator_);
        next_quote_ = find_byte(stop, end_, '"');
      }
    }
    p_ = next_csv_record(stop, end_);
  }
  chunk.end = p_;
  chunk.num_rows = num_rows_ - chunk.first_row;
  return chunk;
}

}  // namespace glassrank
