#include "glassrank/base/trim.h"

namespace glassrank {

std::string_view trim_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string_view without_brackets(std::string_view text) {
  text = trim_blanks(text);
  const bool square = text.starts_with('[') && text.ends_with(']');
  const bool round = text.starts_with('(') && text.ends_with(')');
  return square || round ? trim_blanks(text.substr(1, text.size() - 2)) : text;
}

}  // namespace glassrank
