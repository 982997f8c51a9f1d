#pragma once
// Groups of boxes: least value, quartiles, median and largest value of some numbers, side by side
// for several series. Whiskers go to the least and the largest value; nothing is left out.
//
// A place without numbers stays empty. One series needs no legend.

#include <optional>
#include <string>
#include <vector>

#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct BoxValue {
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double largest = 0;
};

struct BoxGroup {
  std::string label;                           // below the axis
  std::vector<std::optional<BoxValue>> boxes;  // one per series
};

struct BoxChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> series;
  std::vector<BoxGroup> groups;
  double width = 760;
  double height = 420;
};

Picture draw(const BoxChart& chart);

}  // namespace glassrank
