#pragma once
// Where in a text something is wrong, for messages of the form "file:line:col: ...".
//
// Readers carry no line counters: a place is found from the byte only when there is an error to
// report. Lines and columns count from 1, columns in bytes. Cost: one pass over the text before it.

#include <cstddef>
#include <string>
#include <string_view>

namespace glassrank {

struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

// `where` points into `text` or to its end.
TextPlace place_in_text(std::string_view text, const char* where);

// Throws Error{kInput} "file:line:col: message". `text` begins in line `first_line` of the file.
[[noreturn]] void fail_at(std::string_view file, std::string_view text, const char* where,
                          std::string_view message, std::size_t first_line = 1);

// A piece of input as it may stand in a message: quoted, cut to 40 bytes, control characters shown
// as \x00.
std::string quote_text(std::string_view text);

// Without a leading UTF-8 byte order mark.
std::string_view skip_byte_order_mark(std::string_view text);

}  // namespace glassrank
