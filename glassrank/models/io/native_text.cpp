#include "glassrank/models/io/native_text.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
}

void NativeReader::fail_here(std::string_view problem) const {
  fail(ErrorKind::kInput, "line {}: {}", lines_.line_number(), problem);
}

std::string_view NativeReader::line() {
  if (lines_.at_end()) fail_here("the model ends too early");
  return lines_.next();
}

std::string_view NativeReader::value(std::string_view key) {
  const std::string_view text = line();
  if (text == key) return {};
  if (!text.starts_with(key) || text.size() <= key.size() || text[key.size()] != ' ') {
    fail_here(fmt::format("'{} ...' is expected here", key));
  }
  return text.substr(key.size() + 1);
}

void NativeReader::check_count(std::size_t count) const {
  if (count > lines_.bytes_left()) {
    fail_here(
        fmt::format("{} lines cannot follow in the {} bytes left", count, lines_.bytes_left()));
  }
}

std::size_t NativeReader::count(std::string_view key) {
  const std::string_view text = value(key);
  std::uint64_t number = 0;
  if (!parse_number(text, number)) fail_here(fmt::format("'{}' is not a count", text));
  check_count(number);
  return number;
}

double NativeReader::number(std::string_view key) {
  const std::string_view text = value(key);
  double number = 0;
  if (!parse_number(text, number)) fail_here(fmt::format("'{}' is not a number", text));
  return number;
}

std::string NativeReader::unescape(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char code = ++i < text.size() ? text[i] : '\0';
    if (code == '\\') {
      out += '\\';
    } else if (code == 't') {
      out += '\t';
    } else if (code == 'n') {
      out += '\n';
    } else if (code == 'r') {
      out += '\r';
    } else {
      fail_here("a backslash must be followed by one of \\ t n r");
    }
  }
  return out;
}

}  // namespace glassrank
