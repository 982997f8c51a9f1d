#pragma once
// What stands around a word in text people write: blanks and brackets.

#include <string_view>

namespace glassrank {

// Without spaces, tabs, carriage returns and newlines at both ends.
std::string_view trim_blanks(std::string_view text);

// "[a, b]" and "(a, b)" -> "a, b": one pair that opens and closes the text, blanks around it and
// inside it not counted. Other texts lose their outer blanks only.
std::string_view without_brackets(std::string_view text);

}  // namespace glassrank
