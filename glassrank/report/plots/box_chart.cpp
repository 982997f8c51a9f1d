#include "glassrank/report/plots/box_chart.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kWidestBox = 22;
constexpr double kShareOfRoom = 0.8;  // of a group's room, for its boxes
constexpr double kBoxGap = 0.15;      // of a box, on either side

Span span_of(const BoxChart& chart) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Span span = {kInfinity, -kInfinity};
  for (const BoxGroup& group : chart.groups) {
    for (const std::optional<BoxValue>& box : group.boxes) {
      if (!box) continue;
      span = {std::min(span.low, box->least), std::max(span.high, box->largest)};
    }
  }
  return span;
}

void draw_box(Canvas& canvas, const BoxValue& box, double left, double width, const Scale& y,
              std::string_view colour) {
  const double middle = left + width / 2;
  canvas.line({middle, y(box.largest)}, {middle, y(box.least)}, {.colour = colour});
  const Box outside{.left = left,
                    .top = y(box.upper_quartile),
                    .right = left + width,
                    .bottom = y(box.lower_quartile)};
  canvas.rect(outside, colour);
  if (outside.height() > 2 && width > 2) {
    canvas.rect({.left = outside.left + 1,
                 .top = outside.top + 1,
                 .right = outside.right - 1,
                 .bottom = outside.bottom - 1},
                "#ffffff");
  }
  canvas.line({left, y(box.median)}, {left + width, y(box.median)}, {.colour = colour, .width = 3});
}

}  // namespace

Picture draw(const BoxChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    legend.push_back(
        {.name = chart.series[s], .colour = std::string(series_colour(s)), .is_area = true});
  }
  const double legend_room = legend.size() > 1 ? legend_width(legend) + 16 : 24;
  const double height =
      std::max(chart.height, top_margin(chart.title) + legend_height(legend) + kBottomMargin);
  Box plot{.left = 0,
           .top = top_margin(chart.title),
           .right = chart.width - legend_room,
           .bottom = height - kBottomMargin};
  const Span span = span_of(chart);
  const Scale y{
      .values = rounded(span, most_vertical(plot.height())), .from = plot.bottom, .to = plot.top};
  const Axis vertical = vertical_axis(chart.y_label, y);
  plot.left = left_margin(vertical);

  Canvas canvas;
  draw_title(canvas, chart.title, chart.width);
  draw_vertical(canvas, plot, vertical, y, true);
  const Scale places{
      .values = {0, static_cast<double>(std::max<std::size_t>(1, chart.groups.size()))},
      .from = plot.left,
      .to = plot.right};
  Axis horizontal{.label = chart.x_label, .ticks = {}, .width = 0};
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    horizontal.ticks.push_back({static_cast<double>(g) + 0.5, chart.groups[g].label});
  }
  draw_horizontal(canvas, plot, horizontal, places, false);
  if (span.low > span.high) draw_no_data(canvas, plot);
  const double room = plot.width() / places.values.high;
  const double num_series = static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  const double slot = std::min(kWidestBox, room * kShareOfRoom / num_series);
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const double first = places(static_cast<double>(g) + 0.5) - slot * num_series / 2;
    for (std::size_t s = 0; s < chart.groups[g].boxes.size(); ++s) {
      const std::optional<BoxValue>& box = chart.groups[g].boxes[s];
      const double left = first + slot * (static_cast<double>(s) + kBoxGap);
      if (box) draw_box(canvas, *box, left, slot * (1 - 2 * kBoxGap), y, series_colour(s));
    }
  }
  if (legend.size() > 1) draw_legend(canvas, {plot.right + 16, plot.top}, legend);
  return {.width = chart.width, .height = height, .title = chart.title, .body = canvas.take()};
}

}  // namespace glassrank
