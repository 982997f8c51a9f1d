#include "glassrank/report/server/json_scanner.h"

#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/models/io/json_text.h"

namespace glassrank {
namespace {

bool ends_word(char c) {
  return c == ',' || c == ']' || c == '}' || c == ':' || c == ' ' || c == '\t' || c == '\n' ||
         c == '\r' || c == '"' || c == '[' || c == '{';
}

}  // namespace

void JsonScanner::fail_here(std::string_view message) const {
  fail(ErrorKind::kInput, "character {}: {}", p_ - begin_ + 1, message);
}

char JsonScanner::peek() {
  while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
  return p_ == end_ ? '\0' : *p_;
}

bool JsonScanner::take(char c) {
  if (peek() != c || p_ == end_) return false;
  ++p_;
  return true;
}

void JsonScanner::expect(char c, std::string_view what) {
  if (!take(c)) fail_here(what);
}

std::string_view JsonScanner::word() {
  const char* const first = p_;
  const char* last = first;
  while (last != end_ && !ends_word(*last)) ++last;
  return {first, static_cast<std::size_t>(last - first)};
}

float JsonScanner::number() {
  peek();
  float value = 0;
  if (end_ - p_ > 0 && scan_float(p_, value)) return value;
  const std::string_view text = word();
  if (text == "null" || text == "NaN") {
    value = std::numeric_limits<float>::quiet_NaN();
  } else {
    const bool is_number = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    switch (is_number ? parse_float(text, value) : NumberStatus::kNotANumber) {
      case NumberStatus::kOk:
        break;
      case NumberStatus::kNotANumber:
        fail_here("a number or null (missing) is expected");
      case NumberStatus::kInfinite:
      case NumberStatus::kTooLarge:
        fail_here("the number is too large for a feature");
    }
  }
  p_ += text.size();
  return value;
}

std::string_view JsonScanner::string_token() {
  if (peek() != '"') fail_here("a text in quotes is expected");
  const char* last = p_ + 1;
  while (last != end_ && *last != '"') {
    if (*last == '\\') ++last;
    if (last != end_) ++last;
  }
  if (last == end_) fail_here("the text has no end");
  return {p_, static_cast<std::size_t>(last + 1 - p_)};
}

std::string JsonScanner::string() {
  const std::string_view token = string_token();
  bool is_plain = true;
  for (const char c : token) {
    is_plain = is_plain && c != '\\' && static_cast<unsigned char>(c) >= 0x20 &&
               static_cast<unsigned char>(c) < 0x80;
  }
  std::string text(token.substr(1, token.size() - 2));
  if (!is_plain) {
    try {
      text = parse_json_text(token).get<std::string>();
    } catch (const Error&) {
      fail_here("the text is no JSON: a wrong escape, a control character or no UTF-8");
    }
  }
  p_ += token.size();
  return text;
}

std::string_view JsonScanner::value() {
  peek();
  const char* const first = p_;
  std::size_t depth = 0;
  do {
    const char c = peek();
    if (p_ == end_) fail_here("a value is expected");
    if (c == '"') {
      p_ += string_token().size();
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) fail_here("nested too deeply");
      ++p_;
      continue;
    } else if (c == ']' || c == '}') {
      if (depth == 0) fail_here("a value is expected");
      --depth;
      ++p_;
    } else if (c == ',' || c == ':') {
      if (depth == 0) fail_here("a value is expected");
      ++p_;
    } else {
      const std::size_t size = word().size();
      if (size == 0) fail_here("a value is expected");
      p_ += size;
    }
  } while (depth > 0);
  return {first, static_cast<std::size_t>(p_ - first)};
}

void JsonScanner::expect_end() {
  peek();
  if (p_ != end_) fail_here("nothing more is expected");
}

}  // namespace glassrank
