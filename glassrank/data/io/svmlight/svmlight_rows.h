#pragma once
// The fast reader of the features of one SVMlight line.
//
// A dense file names the features in order, so the next "id:" is predicted: its characters are
// compared as one 8-byte word with those of the expected feature, and only a surprise (a sparse
// row, odd blanks, the end of the line) is parsed. The end of a short value is found by comparing
// 16 bytes at once, before its digits are looked at, so that the processor can start on the next
// value; its digits are put together with four multiplications and no branch (x86 with SSE4 or
// better, chosen when the program runs). Every other value goes through scan_float(). There is no
// bookkeeping of places: what is not understood is declined and left to parse_svmlight_line().

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glassrank {

// What the features of a row are, as the parser needs it.
struct SvmlightLayout {
  struct IdText {
    std::uint64_t shifted = 1;  // the characters "id:", at the high end of the word
    std::uint32_t shift = 0;    // 64 - 8 * their number
    std::uint32_t length = 0;
  };
  std::uint32_t first_id = 1;
  std::size_t num_features = 0;
  float absent = 0;
  std::vector<IdText> id_texts;  // of the first columns, then one that matches nothing
};

class SvmlightRowParser {
 public:
  // Features first_id .. first_id + num_features - 1 are columns 0, 1, ...; features that a row
  // does not name get `absent`.
  SvmlightRowParser(std::uint32_t first_id, std::size_t num_features, float absent);

  // Parses from `p`, right after the grade and qid, to the newline or '#' that ends the features,
  // and fills the `num_features` values at `row`. Returns where it stopped, or null if it declines
  // (`row` is then unspecified). A newline must follow, and kScanSlack readable bytes after it.
  const char* parse(const char* p, float* row) const;

  std::uint32_t first_id() const { return layout_.first_id; }
  std::size_t num_features() const { return layout_.num_features; }
  float absent() const { return layout_.absent; }

 private:
  SvmlightLayout layout_;
};

}  // namespace glassrank
