#pragma once
// How a value comes about, part by part (a waterfall): it begins with the base value at the top;
// every feature moves it to the right or to the left, the largest first; it ends at the bottom with
// what is explained.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/report/explanation_plots/parts.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct Waterfall {
  std::string title;
  std::string value_name = "score";  // of what is explained
  double base_value = 0;
  std::vector<Part> parts;      // the largest first
  std::size_t most_parts = 14;  // then the sum of the others; 0: all
  double width = 760;
};

Picture draw(const Waterfall& chart);

}  // namespace glassrank
