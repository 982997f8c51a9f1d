#include "glassrank/models/io/number_text.h"

#include <charconv>
#include <system_error>

#include <fast_float/fast_float.h>

namespace glassrank {
namespace {

template <typename T>
bool parse_floating(std::string_view text, T& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto result = fast_float::from_chars(begin, end, value);
  return result.ec == std::errc() && result.ptr == end;
}

template <typename T>
bool parse_integer(std::string_view text, T& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto result = std::from_chars(begin, end, value);
  return result.ec == std::errc() && result.ptr == end;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

bool parse_number(std::string_view text, double& value) { return parse_floating(text, value); }
bool parse_number(std::string_view text, float& value) { return parse_floating(text, value); }
bool parse_number(std::string_view text, std::int32_t& value) { return parse_integer(text, value); }
bool parse_number(std::string_view text, std::uint32_t& value) {
  return parse_integer(text, value);
}
bool parse_number(std::string_view text, std::uint64_t& value) {
  return parse_integer(text, value);
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  while (begin < line.size()) {
    if (is_blank(line[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::string_view LineReader::peek() const {
  std::string_view line = rest_.substr(0, rest_.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view LineReader::next() {
  if (at_end()) return {};
  const std::string_view line = peek();
  const std::size_t end = rest_.find('\n');
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  ++line_number_;
  return line;
}

}  // namespace glassrank
