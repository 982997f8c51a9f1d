#include "glassrank/data/io/svmlight_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/data/io/number_scanner.h"

namespace glassrank {
namespace {

// Beyond so many columns files are sparse and prediction is no use.
constexpr std::size_t kMostPredicted = 4096;

// "id:" at `p`; null if it is not that or the id has more digits than any valid one.
const char* parse_id(const char* p, std::uint32_t& id) {
  const char* begin = p;
  id = 0;
  while (*p >= '0' && *p <= '9') {
    if (p - begin == 7) return nullptr;
    id = id * 10 + static_cast<std::uint32_t>(*p++ - '0');
  }
  return p != begin && *p == ':' ? p + 1 : nullptr;
}

}  // namespace

SvmlightRowParser::SvmlightRowParser(std::uint32_t first_id, std::size_t num_features, float absent)
    : first_id_(first_id), num_features_(num_features), absent_(absent) {
  const std::size_t num_predicted = std::min(num_features, kMostPredicted);
  id_texts_.reserve(num_predicted + 1);
  for (std::size_t column = 0; column < num_predicted; ++column) {
    char text[16] = {};
    const auto end = fmt::format_to(text, "{}:", first_id + column);
    const auto length = static_cast<std::uint32_t>(end - text);
    const std::uint32_t shift = 64 - 8 * length;
    id_texts_.push_back({number_scanner::load8(text) << shift, shift, length});
  }
  id_texts_.emplace_back();
}

const char* SvmlightRowParser::parse(const char* p, float* row) const {
  const IdText* const ids = id_texts_.data();
  const std::size_t num_predicted = id_texts_.size() - 1;
  std::size_t column = 0;  // the next one to be filled
  while (true) {
    // One space, then the expected feature; `p` is at the blank.
    const IdText& expected = ids[std::min(column, num_predicted)];
    if (*p == ' ' && number_scanner::load8(p + 1) << expected.shift == expected.shifted) {
      p += 1 + expected.length;
    } else {
      const char* blank = p;
      while (is_blank(*p)) ++p;
      if (*p == '\n' || *p == '#') break;
      std::uint32_t id = 0;
      p = p == blank ? nullptr : parse_id(p, id);
      if (p == nullptr || id < first_id_) return nullptr;
      const std::size_t found = id - first_id_;
      if (found < column || found >= num_features_) return nullptr;
      std::fill(row + column, row + found, absent_);
      column = found;
    }
    float value = 0;
    if (!scan_float(p, value)) {
      p = scan_odd_float(p, value);
      if (p == nullptr) return nullptr;
    }
    row[column++] = value;
  }
  std::fill(row + column, row + num_features_, absent_);
  return p;
}

}  // namespace glassrank
