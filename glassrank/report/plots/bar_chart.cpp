#include "glassrank/report/plots/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kBar = 18;
constexpr double kGroupGap = 12;
constexpr double kMostLabel = 240;

struct Extent {
  Span values = {0, 0};
  double label_width = 0;
  double text_width = 0;
};

Extent extent_of(const BarChart& chart) {
  Extent extent;
  for (const BarGroup& group : chart.groups) {
    extent.label_width = std::max(extent.label_width, text_width(group.label, kTickSize));
    for (const BarValue& bar : group.bars) {
      for (const double value : {bar.value, bar.low, bar.high}) {
        if (!std::isfinite(value)) continue;
        extent.values.low = std::min(extent.values.low, value);
        extent.values.high = std::max(extent.values.high, value);
      }
      extent.text_width = std::max(extent.text_width, text_width(bar.text, kTickSize));
    }
  }
  if (chart.scale) {
    extent.values.low = std::min(extent.values.low, chart.scale->low);
    extent.values.high = std::max(extent.values.high, chart.scale->high);
  }
  extent.label_width = std::min(extent.label_width, kMostLabel);
  if (extent.values.low == extent.values.high) extent.values.high = 1;
  return extent;
}

void draw_bar(Canvas& canvas, const BarValue& bar, const Scale& x, double top,
              std::string_view colour) {
  if (!std::isfinite(bar.value)) return;
  const double middle = top + kBar / 2;
  double end = std::max(0.0, bar.value);
  // An interval would be lost inside a bar: a dot with a line then.
  if (std::isfinite(bar.low) && std::isfinite(bar.high)) {
    canvas.line({x(bar.low), middle}, {x(bar.high), middle}, {.colour = colour, .width = 2});
    canvas.circle({x(bar.value), middle}, 4.5, colour);
    end = std::max(bar.value, bar.high);
  } else {
    canvas.rect({.left = x(std::min(0.0, bar.value)),
                 .top = top + 1,
                 .right = x(std::max(0.0, bar.value)),
                 .bottom = top + kBar - 1},
                colour);
  }
  canvas.text({x(end) + 6, middle + 4}, bar.text, {.size = kTickSize});
}

}  // namespace

Picture draw(const BarChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size() && chart.series.size() > 1; ++s) {
    legend.push_back(
        {.name = chart.series[s], .colour = std::string(series_colour(s)), .is_area = true});
  }
  const Extent extent = extent_of(chart);
  const double legend_room = legend.empty() ? 16 : legend_width(legend) + 16;
  const double group_height =
      kBar * static_cast<double>(std::max<std::size_t>(chart.series.size(), 1));
  const double bars_height =
      std::max(60.0, (group_height + kGroupGap) * static_cast<double>(chart.groups.size()));
  Box plot{.left = extent.label_width + 24,
           .top = top_margin(chart.title),
           .right = chart.width - legend_room - extent.text_width - 10,
           .bottom = 0};
  plot.bottom = plot.top + std::max(bars_height, legend_height(legend));
  const Scale x{.values = rounded(extent.values, 8), .from = plot.left, .to = plot.right};

  Canvas canvas;
  draw_title(canvas, chart.title, chart.width);
  draw_horizontal(canvas, plot, horizontal_axis(chart.x_label, x), x, true);
  if (chart.groups.empty()) draw_no_data(canvas, plot);
  double top = plot.top + kGroupGap / 2;
  for (const BarGroup& group : chart.groups) {
    canvas.text({plot.left - 8, top + group_height / 2 + 4},
                fitted(group.label, kTickSize, kMostLabel),
                {.size = kTickSize, .anchor = Anchor::kEnd});
    for (std::size_t b = 0; b < group.bars.size(); ++b) {
      draw_bar(
          canvas, group.bars[b], x, top + kBar * static_cast<double>(b),
          chart.is_signed ? signed_colour(group.bars[b].value < 0 ? -1 : 1) : series_colour(b));
    }
    top += group_height + kGroupGap;
  }
  canvas.line({x(0), plot.top}, {x(0), plot.bottom}, {.colour = kFaintInk});
  draw_legend(canvas, {chart.width - legend_room + 8, plot.top}, legend);
  return {.width = chart.width,
          .height = plot.bottom + kBottomMargin,
          .title = chart.title,
          .body = canvas.take()};
}

}  // namespace glassrank
