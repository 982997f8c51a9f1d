#include "glassrank/report/plots/line_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::string_view kFaintLine = "#b4c0cb";

void widen(Span& span, double value) {
  if (!std::isfinite(value)) return;
  span.low = std::min(span.low, value);
  span.high = std::max(span.high, value);
}

bool shows(const LineChart& chart, const LineSeries& series, std::size_t i) {
  return std::isfinite(series.x[i]) && std::isfinite(series.y[i]) &&
         (!chart.log_x || series.x[i] > 0);
}

bool has_band(const LineSeries& series, std::size_t i) {
  return i < series.low.size() && i < series.high.size() && std::isfinite(series.low[i]) &&
         std::isfinite(series.high[i]);
}

struct Spans {
  Span x = {kInfinity, -kInfinity};
  Span y = {kInfinity, -kInfinity};
  bool whole_x = true;
};

Spans spans_of(const LineChart& chart) {
  Spans spans;
  for (const LineSeries& series : chart.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!shows(chart, series, i)) continue;
      widen(spans.x, series.x[i]);
      spans.whole_x = spans.whole_x && series.x[i] == std::round(series.x[i]);
      widen(spans.y, series.y[i]);
      if (!has_band(series, i)) continue;
      widen(spans.y, series.low[i]);
      widen(spans.y, series.high[i]);
    }
  }
  if (chart.from_zero && spans.y.low <= spans.y.high) widen(spans.y, 0);
  return spans;
}

// Ends of the runs of points that can be shown: [begin, end) pairs.
std::vector<std::pair<std::size_t, std::size_t>> runs_of(const LineChart& chart,
                                                         const LineSeries& series) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!shows(chart, series, i)) continue;
    if (runs.empty() || runs.back().second != i) runs.emplace_back(i, i);
    runs.back().second = i + 1;
  }
  return runs;
}

void draw_band(Canvas& canvas, const LineSeries& series, std::size_t begin, std::size_t end,
               const Scale& x, const Scale& y, std::string_view colour) {
  std::vector<Point> above;
  std::vector<Point> below;
  for (std::size_t i = begin; i < end; ++i) {
    if (!has_band(series, i)) continue;
    above.push_back({x(series.x[i]), y(series.high[i])});
    below.push_back({x(series.x[i]), y(series.low[i])});
  }
  if (above.size() == 1) canvas.line(above[0], below[0], {.colour = colour, .width = 1.5});
  if (above.size() < 2) return;
  above.insert(above.end(), below.rbegin(), below.rend());
  canvas.polygon(above, colour, 0.18);
}

void draw_faint(Canvas& canvas, const LineChart& chart, const LineSeries& series, const Scale& x,
                const Scale& y) {
  for (const auto& [begin, end] : runs_of(chart, series)) {
    std::vector<Point> points;
    for (std::size_t i = begin; i < end; ++i) points.push_back({x(series.x[i]), y(series.y[i])});
    canvas.polyline(points, {.colour = kFaintLine, .width = 0.8});
  }
}

// `number`: among those that are not faint.
Stroke stroke_of(const LineSeries& series, std::size_t number) {
  if (!series.colour.empty()) return {.colour = series.colour, .width = 2, .dash = series.dash};
  return {.colour = series_colour(number), .width = 2, .dash = series_dash(number)};
}

void draw_series(Canvas& canvas, const LineChart& chart, const LineSeries& series,
                 const Stroke& stroke, const Scale& x, const Scale& y) {
  const std::string_view colour = stroke.colour;
  for (const auto& [begin, end] : runs_of(chart, series)) {
    draw_band(canvas, series, begin, end, x, y, colour);
    std::vector<Point> points;
    for (std::size_t i = begin; i < end; ++i) points.push_back({x(series.x[i]), y(series.y[i])});
    if (points.size() > 1) canvas.polyline(points, stroke);
    if (points.size() > 1 && !series.dots) continue;
    for (const Point& point : points) canvas.circle(point, 3.2, colour);
  }
}

}  // namespace

Picture draw(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  for (const LineSeries& series : chart.series) {
    if (series.faint) continue;
    const Stroke stroke = stroke_of(series, legend.size());
    legend.push_back(
        {.name = series.name, .colour = std::string(stroke.colour), .dash = stroke.dash});
  }
  const double legend_room = legend.size() > 1 ? legend_width(legend) + 16 : 24;
  const double height =
      std::max(chart.height, top_margin(chart.title) + legend_height(legend) + kBottomMargin);
  Box plot{.left = 0,
           .top = top_margin(chart.title),
           .right = chart.width - legend_room,
           .bottom = height - kBottomMargin};

  const Spans spans = spans_of(chart);
  const bool is_empty = spans.x.low > spans.x.high;
  Scale y{.values = rounded(spans.y, most_vertical(plot.height())),
          .from = plot.bottom,
          .to = plot.top};
  const Axis vertical = vertical_axis(chart.y_label, y);
  plot.left = left_margin(vertical);
  const Span x_values = usable(spans.x);
  const Scale x{.values = x_values,
                .from = plot.left,
                .to = plot.right,
                .log = chart.log_x && !is_empty && x_values.low > 0,
                .whole = spans.whole_x && !is_empty};

  Canvas canvas;
  draw_title(canvas, chart.title, chart.width);
  draw_vertical(canvas, plot, vertical, y, true);
  draw_horizontal(canvas, plot, horizontal_axis(chart.x_label, x), x, false);
  if (is_empty) draw_no_data(canvas, plot);
  if (y.values.low < 0 && y.values.high > 0) {
    canvas.line({plot.left, y(0)}, {plot.right, y(0)}, {.colour = kFaintInk});
  }
  for (const LineSeries& series : chart.series) {
    if (series.faint) draw_faint(canvas, chart, series, x, y);
  }
  std::size_t number = 0;
  for (const LineSeries& series : chart.series) {
    if (!series.faint) draw_series(canvas, chart, series, stroke_of(series, number++), x, y);
  }
  if (legend.size() > 1) draw_legend(canvas, {plot.right + 16, plot.top}, legend);
  return {.width = chart.width, .height = height, .title = chart.title, .body = canvas.take()};
}

}  // namespace glassrank
