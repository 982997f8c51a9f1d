#pragma once
// An explanation as text for a terminal: what is explained, the summary, a table of the features
// with the largest parts, and how far all of it can be trusted.
//
//   query q7, tree-shap
//      document  rank  score  grade
//   A  river-12     1   2.31      3
//   B  sea-7        4   0.71      0
//
//   river-12 is above sea-7 because bm25_title is 7.1 against 2.0: +1.30 of the +1.60 difference.
//   ...
//
//   feature             A       B   part  share
//   bm25_title *      7.1     2.0  +1.30   81 %  +++++++++++++
//   price             5.49  12.00  +0.50   31 %  +++++
//   2 other features               -0.20  -13 %  --
//
//   The parts add up to the difference exactly. ...
//
// Lines of the summary are broken at 100 characters.

#include <cstddef>
#include <string>

#include "glassrank/explain/explanation_view.h"

namespace glassrank {

struct ExplanationTextParams {
  std::size_t features = 10;   // lines of the table; 0: all
  std::size_t documents = 10;  // of a ranking that are listed; 0: all
};

std::string explanation_text(const ExplanationView& view, const ExplanationTextParams& params);

// The text with line ends at spaces, so that no line has more characters than asked for where its
// words allow that.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace glassrank
