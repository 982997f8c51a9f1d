#pragma once
// What charts share: title, axes with ticks and labels, a legend beside the plot.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

inline constexpr double kTickSize = 12;
inline constexpr double kLabelSize = 13;
inline constexpr double kTitleSize = 15;

struct Axis {
  std::string label;
  std::vector<Tick> ticks;
  double width = 0;  // of the widest tick label
};

// Ticks along a scale, so many that labels side by side (or below each other) do not touch.
Axis horizontal_axis(std::string_view label, const Scale& scale);
Axis vertical_axis(std::string_view label, const Scale& scale);
// Of cells that have names: cell i reaches from i to i + 1; every n-th name if not all fit.
Axis horizontal_names(std::string_view label, std::span<const std::string> names, double room);
Axis vertical_names(std::string_view label, std::span<const std::string> names, double room);
// Drops the ticks of a horizontal axis whose labels would touch what stands from `limit` on.
void keep_left_of(Axis& horizontal, const Scale& scale, double limit);
// How many ticks a vertical axis of this height may have.
std::size_t most_vertical(double height);

// Room to the left of the plot for a vertical axis, and below for a horizontal one.
double left_margin(const Axis& vertical);
inline constexpr double kBottomMargin = 50;
double top_margin(std::string_view title);

void draw_title(Canvas& canvas, std::string_view title, double width);
// Grid lines, tick labels and the axis label; the scale says where the ticks stand.
void draw_horizontal(Canvas& canvas, const Box& plot, const Axis& axis, const Scale& scale,
                     bool grid);
void draw_vertical(Canvas& canvas, const Box& plot, const Axis& axis, const Scale& scale,
                   bool grid);
// In the middle of a plot that has nothing to show.
void draw_no_data(Canvas& canvas, const Box& plot);

struct LegendEntry {
  std::string name;
  std::string colour;
  std::string_view dash = {};
  bool is_area = false;  // a square instead of a line
};
// 0 without entries.
double legend_width(const std::vector<LegendEntry>& entries);
double legend_height(const std::vector<LegendEntry>& entries);
void draw_legend(Canvas& canvas, Point top_left, const std::vector<LegendEntry>& entries);

}  // namespace glassrank
