#pragma once
// The parts of an explanation as bars to both sides of 0, with their numbers, standard errors and
// the values of the features: of one document, of a ranking, or of a pair side by side.
//
//   feature        A      B
//   bm25_title   7.1    2.0        |#############  +1.30
//   price       5.49  12.00        |#####  +0.50
//   in_stock      on    off   -0.20 ##|

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/report/explanation_plots/parts.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct PartBars {
  std::string title;
  std::string x_label = "part of the score";
  std::vector<Part> parts;                       // the largest first
  std::vector<std::string> value_columns = {};   // headings: none, that of `value`, or of both
  std::vector<std::string> column_details = {};  // a second line below each heading; may be empty
  std::string left_note = {};                    // above the bars: what speaks to the left
  std::string right_note = {};
  std::size_t most_parts = 20;  // then the sum of the others; 0: all
  double width = 760;
};

Picture draw(const PartBars& chart);

}  // namespace glassrank
