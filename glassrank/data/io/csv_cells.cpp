#include "glassrank/data/io/csv_cells.h"

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

const char* skip_empty_csv_records(const char* p, const char* end) {
  while (p != end && at_csv_record_end(p, end)) p = next_csv_record(p, end);
  return p;
}

std::vector<CsvChunk> cut_csv_chunks(std::string_view text, char separator,
                                     std::size_t chunk_bytes) {
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  const char* next_quote = find_byte(p, end, '"');
  std::vector<CsvChunk> chunks;
  std::size_t num_rows = 0;
  while (p != end) {
    CsvChunk chunk{.begin = p, .end = p, .first_row = num_rows, .num_rows = 0};
    while (p != end && static_cast<std::size_t>(p - chunk.begin) < chunk_bytes) {
      const char* stop = nullptr;
      if (at_csv_record_end(p, end)) {
        stop = p;
      } else {
        ++num_rows;
        stop = find_byte(p, end, '\n');
        if (next_quote < stop) {
          stop = end_of_quoted_record(p, end, separator);
          next_quote = find_byte(stop, end, '"');
        }
      }
      p = next_csv_record(stop, end);
    }
    chunk.end = p;
    chunk.num_rows = num_rows - chunk.first_row;
    chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace glassrank
