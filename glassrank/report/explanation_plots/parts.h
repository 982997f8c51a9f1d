#pragma once
// What pictures of one explanation draw: the part of every feature, and how it is labelled.
//
// Orange raises, blue lowers, in every picture (palette.h: told apart with any colour vision).

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/explain/amounts.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {

// Paler, for what is summed up.
inline constexpr std::string_view kRaisesPale = "#dfa77f";
inline constexpr std::string_view kLowersPale = "#7fb3d3";

struct Part {
  std::string label;  // of the feature
  std::string value;  // in the document, as text; may be empty
  double amount = 0;
  double error = std::numeric_limits<double>::quiet_NaN();  // standard error; NaN: none
  std::string other_value = {};                             // in the other document of a pair
  bool is_sum = false;                                      // of several features
};

std::string_view colour_of(const Part& part);
// "bm25_title = 7.1".
std::string label_of(const Part& part);
// Goes by the largest part, or by their sum.
Amounts amounts_of(const std::vector<Part>& parts);
// The first `most` parts, then one for the sum of the others (0: all).
std::vector<Part> first_parts(const std::vector<Part>& parts, std::size_t most);

}  // namespace glassrank
