#pragma once
// Groups of horizontal bars from 0, with intervals and numbers behind them.
//
// Values that are not numbers leave their place empty. One series needs no legend.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/report/plots/picture.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

struct BarValue {
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();  // of the interval; NaN: none
  double high = std::numeric_limits<double>::quiet_NaN();
  std::string text = {};  // behind the bar
};

struct BarGroup {
  std::string label;
  std::vector<BarValue> bars;  // one per series
};

struct BarChart {
  std::string title;
  std::string x_label;
  std::vector<std::string> series;
  std::vector<BarGroup> groups;
  double width = 760;              // the height follows from the number of bars
  std::optional<Span> scale = {};  // that the axis shows at least
  bool is_signed = false;          // orange above 0, blue below; of one series
};

Picture draw(const BarChart& chart);

}  // namespace glassrank
