#pragma once
// One line of SVMlight/LETOR text, read carefully.
//
//   line    = [ ( grade [ "qid:" qid ] | "qid:" qid ) { id ":" value } ] [ "#" comment ]
//   grade   = a finite decimal number >= 0
//   qid     = an integer that fits in 64 bits, or any other text without blanks and '#'
//   id      = 0 .. 1,000,000, strictly ascending within the line
//   value   = a decimal number, or nan for a missing value; infinity is refused
//   comment = "docid = D ..." (LETOR) names document D; any other text is the document's name
// Blanks (space, tab, carriage return) separate, lead and trail. This parser defines the grammar
// and says where and why a line is wrong; the fast reader hands it every line it does not know at
// once, and is tested against it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassrank {

inline constexpr std::uint32_t kMaxFeatureId = 1'000'000;

struct SvmlightLine {
  bool is_row = false;    // false: blank or only a comment; nothing else is set
  bool has_grade = true;  // false: the line begins with its qid
  float grade = 0;
  bool has_qid = false;
  std::string_view qid;
  std::vector<std::pair<std::uint32_t, float>> values;
  std::string_view document;  // empty: none
};

struct LinePlace {
  std::string_view file;
  std::size_t line = 1;  // 1-based
};

// Views in `out` point into `line`, which has no newline. Throws Error{kInput} "file:line:col:
// ...".
void parse_svmlight_line(std::string_view line, const LinePlace& place, SvmlightLine& out);

// The document named by a comment (the text after '#').
std::string_view document_of_comment(std::string_view comment);

// False for an integer beyond 64 bits (signed if it has a minus), and for an empty qid.
bool is_valid_qid(std::string_view qid);

}  // namespace glassrank
