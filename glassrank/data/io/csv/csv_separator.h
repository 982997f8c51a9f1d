#pragma once
// What separates the columns of a CSV file.
//
// By itself: of comma, semicolon, tab and bar the one that cuts the header into most columns, in
// this order where two do; those between quotes do not count.

#include <string_view>

#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/input_text.h"

namespace glassrank {

// Instead of a separator: the header tells.
inline constexpr char kAnySeparator = '\0';

// What ReadParams::delimiter names: `found` if it is kFound. Throws Error{kUsage} for a text that
// is no single byte and no name, and for bytes that cannot separate (quotes, line ends, letters,
// digits, points, signs).
char named_separator(std::string_view delimiter, char found);

// Of a text that begins with the header.
char find_separator(std::string_view text);
// Of a file, packed or not, whose separator may be known.
char separator_of(const InputText& input, char separator);
// As the reader of the format takes it, of the whole text of a file.
char separator_of(std::string_view text, DataFormat format, const ReadParams& params);

}  // namespace glassrank
