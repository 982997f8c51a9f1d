#include "glassrank/report/plots/heat_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr int kSteps = 65;  // with one for the middle
constexpr double kLegendBar = 16;

// From a value to its share of the colour scale.
struct ColourScale {
  Span span;
  bool log = false;
  bool is_signed = false;

  std::optional<double> share(double value) const {
    if (!std::isfinite(value) || (log && value <= 0)) return std::nullopt;
    return std::clamp(Scale{.values = span, .log = log}(value), 0.0, 1.0);
  }
  std::string colour(double share) const {
    return is_signed ? signed_colour(2 * share - 1) : amount_colour(share);
  }
  std::string_view ink(double share) const {
    if (!is_signed) return ink_on_amount(share);
    return std::abs(2 * share - 1) > 0.7 ? "#ffffff" : kInk;
  }
};

ColourScale colours_of(const HeatMap& map) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Span span{kInfinity, -kInfinity};
  for (const double value : map.values) {
    if (!std::isfinite(value) || (map.log_colours && value <= 0)) continue;
    span.low = std::min(span.low, value);
    span.high = std::max(span.high, value);
  }
  if (map.from_zero && !map.log_colours) span.low = std::min(span.low, 0.0);
  if (map.is_signed) {
    const double largest = std::max({std::abs(span.low), std::abs(span.high), 1e-300});
    if (span.low <= span.high) span = {-largest, largest};
    return {.span = usable(span), .is_signed = true};
  }
  const bool is_log = map.log_colours && span.low <= span.high;
  return {.span = usable(span), .log = is_log && usable(span).low > 0};
}

// One path per colour, of rectangles for runs of equal cells along a row.
void draw_cells(Canvas& canvas, const HeatMap& map, const ColourScale& colours, const Box& plot) {
  const double w = plot.width() / static_cast<double>(map.num_columns);
  const double h = plot.height() / static_cast<double>(map.num_rows);
  const auto step_of = [&](std::size_t cell) {
    const std::optional<double> share = colours.share(map.values[cell]);
    return share ? static_cast<int>(std::lround(*share * (kSteps - 1))) : -1;
  };
  std::map<int, std::string> paths;
  for (std::size_t r = 0; r < map.num_rows; ++r) {
    const double top = plot.top + h * static_cast<double>(r);
    for (std::size_t c = 0; c < map.num_columns;) {
      const int step = step_of(r * map.num_columns + c);
      std::size_t end = c + 1;
      while (end < map.num_columns && step_of(r * map.num_columns + end) == step) ++end;
      if (step >= 0) {
        const double left = plot.left + w * static_cast<double>(c);
        const double right = plot.left + w * static_cast<double>(end);
        paths[step] += fmt::format("M{} {}H{}V{}H{}z", svg_number(left), svg_number(top),
                                   svg_number(right), svg_number(top + h), svg_number(left));
      }
      c = end;
    }
  }
  canvas.add("<g shape-rendering=\"crispEdges\">\n");
  for (const auto& [step, path] : paths) {
    canvas.add(fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                           colours.colour(static_cast<double>(step) / (kSteps - 1)), path));
  }
  canvas.add("</g>\n");
}

void draw_numbers(Canvas& canvas, const HeatMap& map, const ColourScale& colours, const Box& plot) {
  const double w = plot.width() / static_cast<double>(map.num_columns);
  const double h = plot.height() / static_cast<double>(map.num_rows);
  std::vector<std::string> texts;
  double widest = 0;
  for (const double value : map.values) {
    texts.push_back(std::isfinite(value) ? tick_label(value, map.decimals) : "");
    widest = std::max(widest, text_width(texts.back(), kTickSize));
  }
  if (widest + 6 > w || kTickSize + 4 > h) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t row = i / map.num_columns;
    const auto column = static_cast<double>(i - row * map.num_columns);
    const std::optional<double> share = colours.share(map.values[i]);
    canvas.text(
        {plot.left + (column + 0.5) * w, plot.top + (static_cast<double>(row) + 0.5) * h + 4},
        texts[i],
        {.size = kTickSize,
         .anchor = Anchor::kMiddle,
         .colour = share ? colours.ink(*share) : kInk});
  }
}

void draw_scale(Canvas& canvas, const HeatMap& map, const ColourScale& colours, const Box& bar,
                const Axis& axis) {
  const double step = bar.height() / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    // Each to the top, where the next covers it: no seams between them.
    canvas.rect(
        {.left = bar.left, .top = bar.top, .right = bar.right, .bottom = bar.bottom - step * i},
        colours.colour(static_cast<double>(i) / (kSteps - 1)));
  }
  const Scale scale{.values = colours.span, .from = bar.bottom, .to = bar.top, .log = colours.log};
  for (const Tick& tick : axis.ticks) {
    const double y = scale(tick.value);
    canvas.line({bar.right, y}, {bar.right + 4, y}, {.colour = kFaintInk});
    canvas.text({bar.right + 7, y + 4}, tick.label, {.size = kTickSize, .colour = kFaintInk});
  }
  canvas.text({bar.right + axis.width + 24, (bar.top + bar.bottom) / 2},
              fitted(map.value_label, kLabelSize, bar.height() + 20),
              {.size = kLabelSize, .anchor = Anchor::kMiddle, .upward = true});
}

}  // namespace

Picture draw(const HeatMap& map) {
  const ColourScale colours = colours_of(map);
  Box plot{.left = 0,
           .top = top_margin(map.title),
           .right = map.width,
           .bottom = map.height - kBottomMargin};
  const Axis legend = vertical_axis(
      "", {.values = colours.span, .from = plot.bottom, .to = plot.top, .log = colours.log});
  const bool has_scale = map.legend.empty();
  plot.right -= has_scale ? 18 + kLegendBar + 8 + legend.width + (map.value_label.empty() ? 8 : 34)
                          : legend_width(map.legend) + 16;

  Scale rows{.values = usable(map.row_span), .from = plot.top, .to = plot.bottom};
  Axis vertical = vertical_axis(map.y_label, rows);
  if (!map.row_names.empty()) {
    rows.values = {0, static_cast<double>(map.row_names.size())};
    vertical = vertical_names(map.y_label, map.row_names, plot.height());
  }
  plot.left = left_margin(vertical);
  Scale columns{.values = usable(map.column_span), .from = plot.left, .to = plot.right};
  Axis horizontal = horizontal_axis(map.x_label, columns);
  if (!map.column_names.empty()) {
    columns.values = {0, static_cast<double>(map.column_names.size())};
    horizontal = horizontal_names(map.x_label, map.column_names, plot.width());
  }

  Canvas canvas;
  draw_title(canvas, map.title, map.width);
  const bool is_empty = map.num_rows == 0 || map.num_columns == 0;
  if (is_empty) {
    draw_no_data(canvas, plot);
  } else {
    draw_cells(canvas, map, colours, plot);
    draw_numbers(canvas, map, colours, plot);
  }
  draw_horizontal(canvas, plot, horizontal, columns, false);
  draw_vertical(canvas, plot, vertical, rows, false);
  draw_legend(canvas, {plot.right + 16, plot.top}, map.legend);
  if (!is_empty && has_scale) {
    const Box bar{.left = plot.right + 18,
                  .top = plot.top,
                  .right = plot.right + 18 + kLegendBar,
                  .bottom = plot.bottom};
    draw_scale(canvas, map, colours, bar, legend);
  }
  return {.width = map.width, .height = map.height, .title = map.title, .body = canvas.take()};
}

}  // namespace glassrank
