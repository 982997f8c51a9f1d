#include "glassrank/data/io/text_place.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

TextPlace place_in_text(std::string_view text, const char* where) {
  const std::string_view before = text.substr(0, static_cast<std::size_t>(where - text.data()));
  const auto num_breaks = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t last_break = before.rfind('\n');
  const std::size_t line_begin = last_break == std::string_view::npos ? 0 : last_break + 1;
  return {.line = num_breaks + 1, .column = before.size() - line_begin + 1};
}

void fail_at(std::string_view file, std::string_view text, const char* where,
             std::string_view message, std::size_t first_line) {
  const TextPlace place = place_in_text(text, where);
  fail(ErrorKind::kInput, "{}:{}:{}: {}", file, place.line + first_line - 1, place.column, message);
}

std::string quote_text(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + (text.size() > kMost ? "...'" : "'");
}

std::string_view skip_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

}  // namespace glassrank
