#include "glassrank/data/io/text_rows.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "glassrank/data/io/csv/csv_cells.h"
#include "glassrank/data/io/csv/csv_separator.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

void for_each_line(std::string_view text, FunctionRef<void(const TextRow&)> body) {
  TextRow row{.line = 1};
  while (!text.empty()) {
    row.text = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    const auto first =
        std::ranges::find_if(row.text, [](char c) { return !is_blank(c) && c != '\n'; });
    if (first != row.text.end() && *first != '#') {
      body(row);
      ++row.row;
    }
    text.remove_prefix(row.text.size());
    ++row.line;
  }
}

void for_each_record(std::string_view text, char separator,
                     FunctionRef<void(const TextRow&)> body) {
  TextRow row{.line = 1};
  bool is_header = true;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end) {
    const char* stop = p;
    while (!at_csv_record_end(stop, end)) {
      stop = read_csv_cell(stop, end, separator).after;
      if (stop != end && *stop == separator) ++stop;
    }
    const bool is_empty = stop == p;
    stop = next_csv_record(stop, end);
    row.text = {p, static_cast<std::size_t>(stop - p)};
    if (!is_empty && !std::exchange(is_header, false)) {
      body(row);
      ++row.row;
    }
    row.line += static_cast<std::size_t>(std::ranges::count(row.text, '\n'));
    p = stop;
  }
}

}  // namespace

TextOfRows text_of_rows(std::string_view text, DataFormat format, const ReadParams& params) {
  if (format == DataFormat::kSvmlight) return {.text = text};
  return {.text = text, .format = format, .separator = separator_of(text, format, params)};
}

void for_each_text_row(const TextOfRows& rows, FunctionRef<void(const TextRow&)> body) {
  const std::string_view text = skip_byte_order_mark(rows.text);
  if (rows.format == DataFormat::kSvmlight) {
    for_each_line(text, body);
  } else {
    for_each_record(text, rows.separator, body);
  }
}

FeatureIds feature_ids_of(std::string_view svmlight_row) {
  const std::string_view values = svmlight_row.substr(0, svmlight_row.find('#'));
  FeatureIds ids;
  const auto number_before = [&](std::size_t colon, std::size_t& id) {
    std::size_t begin = colon;
    while (begin > 0 && values[begin - 1] >= '0' && values[begin - 1] <= '9') --begin;
    if (begin == colon || begin == 0 || !is_blank(values[begin - 1])) return false;  // qid:
    std::from_chars(values.data() + begin, values.data() + colon, id);
    return true;
  };
  for (std::size_t colon = values.find(':'); colon != values.npos;
       colon = values.find(':', colon + 1)) {
    if (number_before(colon, ids.first)) {
      number_before(values.rfind(':'), ids.last);
      return ids;
    }
  }
  return ids;
}

}  // namespace glassrank
