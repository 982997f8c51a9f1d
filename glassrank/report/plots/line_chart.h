#pragma once
// Lines over a common x axis, with bands for their uncertainty and a legend.
//
// Points whose y is not a number leave a gap, as do points a logarithmic axis cannot show; a point
// between two gaps is drawn as a dot. Seven colours, then the same ones dashed.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct LineSeries {
  std::string name;
  std::vector<double> x;         // ascending
  std::vector<double> y;         // as many
  std::vector<double> low = {};  // of the band; both empty, or as many as x
  std::vector<double> high = {};
  bool dots = false;             // mark every point
  bool faint = false;            // one of many, thin and pale behind the others, without a name
  std::string_view colour = {};  // empty: the next of the seven, and its dash
  std::string_view dash = {};
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<LineSeries> series;
  bool log_x = false;
  bool from_zero = false;  // the y axis begins at 0 at the latest
  double width = 760;
  double height = 420;
};

Picture draw(const LineChart& chart);

}  // namespace glassrank
