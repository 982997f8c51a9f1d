#pragma once
// A score as the balance of two forces: what raises it pushes from the left, what lowers it from
// the right, and they meet at the score. The largest parts stand next to it.
//
// Parts are labelled in up to three lines below the bar where there is room; small ones stay
// without a label.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/report/explanation_plots/parts.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct ForcePlot {
  std::string title;
  std::string value_name = "score";
  double base_value = 0;
  std::vector<Part> parts;      // the largest first
  std::size_t most_parts = 16;  // then the sum of the others; 0: all
  double width = 860;
};

Picture draw(const ForcePlot& chart);

}  // namespace glassrank
