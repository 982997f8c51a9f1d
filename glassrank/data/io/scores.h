#pragma once
// Score files: one number per line, in the order of the documents; what `predict` writes and what
// every other tool's predictions can be turned into.
//
// Blanks around the number and CRLF line ends are allowed, as are infinities and a missing last
// newline; empty lines and NaN are not. Files may be .gz or .zst; "-" is standard input.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"

namespace glassrank {

// Throws Error{kIo} when the file cannot be read, Error{kInput} "file:line:col: ..." when a line is
// not one number or there are not exactly `num_documents` lines.
std::vector<double> read_scores(const std::string& path, std::size_t num_documents,
                                const Context& context);

// A text in memory; `name` stands in messages.
std::vector<double> parse_scores(std::string_view text, const std::string& name,
                                 std::size_t num_documents);

}  // namespace glassrank
