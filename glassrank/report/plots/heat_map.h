#pragma once
// A matrix as coloured cells with a scale or a legend beside it.
//
// Rows and columns have names, or stand on axes of numbers. Cells that are not a number stay white,
// as do those a logarithmic scale cannot show (<= 0). Large cells carry their number. Colours come
// in 65 steps; neighbours of one colour are one shape, so large matrices stay small files.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

struct HeatMap {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string value_label;
  std::size_t num_rows = 0;
  std::size_t num_columns = 0;
  std::vector<double> values;                  // row-major; the first row is drawn at the top
  std::vector<std::string> row_names = {};     // empty: numbers from row_span
  std::vector<std::string> column_names = {};  // empty: numbers from column_span
  Span row_span = {};                          // values at the top and at the bottom border
  Span column_span = {};                       // at the left and at the right border
  bool log_colours = false;
  bool from_zero = false;  // the colours begin at 0
  bool is_signed = false;  // orange above 0, blue below, white at 0
  // Instead of the scale beside the cells, where names say more than numbers.
  std::vector<LegendEntry> legend = {};
  int decimals = 2;  // of numbers in cells
  double width = 760;
  double height = 460;
};

Picture draw(const HeatMap& map);

}  // namespace glassrank
