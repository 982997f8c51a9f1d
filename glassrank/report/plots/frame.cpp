#include "glassrank/report/plots/frame.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace glassrank {
namespace {

constexpr double kTickGap = 14;
constexpr double kLegendRow = 20;
constexpr double kLegendText = 260;  // the most a name may take

std::vector<Tick> ticks_of(const Scale& scale, std::size_t most) {
  return scale.log ? log_ticks(scale.values.low, scale.values.high, most)
                   : linear_ticks(scale.values.low, scale.values.high, most, scale.whole);
}

bool labels_touch(const std::vector<Tick>& ticks, const Scale& scale) {
  for (std::size_t t = 1; t < ticks.size(); ++t) {
    const double room = std::abs(scale(ticks[t].value) - scale(ticks[t - 1].value));
    const double need =
        (text_width(ticks[t].label, kTickSize) + text_width(ticks[t - 1].label, kTickSize)) / 2 +
        kTickGap;
    if (need > room) return true;
  }
  return false;
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, kTickSize));
  return width;
}

// Names in the middle of their cells, every n-th if not all fit.
std::vector<Tick> name_ticks(std::span<const std::string> names, double room, bool across) {
  double need = kTickSize + 4;
  for (const std::string& name : names) {
    if (across) need = std::max(need, text_width(name, kTickSize) + 8);
  }
  const double cell = room / static_cast<double>(names.size());
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(need / cell)));
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < names.size(); i += every) {
    ticks.push_back({.value = static_cast<double>(i) + 0.5,
                     .label = fitted(names[i], kTickSize, across ? need : 180)});
  }
  return ticks;
}

}  // namespace

Axis horizontal_axis(std::string_view label, const Scale& scale) {
  std::size_t most = 11;
  std::vector<Tick> ticks = ticks_of(scale, most);
  while (most > 2 && labels_touch(ticks, scale)) ticks = ticks_of(scale, --most);
  return {.label = std::string(label), .ticks = ticks, .width = widest(ticks)};
}

Axis vertical_axis(std::string_view label, const Scale& scale) {
  std::vector<Tick> ticks = ticks_of(scale, most_vertical(std::abs(scale.to - scale.from)));
  return {.label = std::string(label), .ticks = ticks, .width = widest(ticks)};
}

Axis horizontal_names(std::string_view label, std::span<const std::string> names, double room) {
  std::vector<Tick> ticks = name_ticks(names, room, true);
  return {.label = std::string(label), .ticks = ticks, .width = widest(ticks)};
}

Axis vertical_names(std::string_view label, std::span<const std::string> names, double room) {
  std::vector<Tick> ticks = name_ticks(names, room, false);
  return {.label = std::string(label), .ticks = ticks, .width = widest(ticks)};
}

void keep_left_of(Axis& horizontal, const Scale& scale, double limit) {
  std::erase_if(horizontal.ticks, [&](const Tick& tick) {
    return scale(tick.value) + text_width(tick.label, kTickSize) / 2 + 6 > limit;
  });
}

std::size_t most_vertical(double height) {
  return static_cast<std::size_t>(std::max(2.0, height / 40));
}

double left_margin(const Axis& vertical) {
  return 12 + (vertical.label.empty() ? 0 : 22) + vertical.width + 8;
}

double top_margin(std::string_view title) { return title.empty() ? 16 : 42; }

void draw_title(Canvas& canvas, std::string_view title, double width) {
  if (title.empty()) return;
  canvas.text({12, 24}, fitted(title, kTitleSize * 1.05, width - 24),
              {.size = kTitleSize, .bold = true});
}

void draw_horizontal(Canvas& canvas, const Box& plot, const Axis& axis, const Scale& scale,
                     bool grid) {
  for (const Tick& tick : axis.ticks) {
    const double x = scale(tick.value);
    if (grid) canvas.line({x, plot.top}, {x, plot.bottom}, {.colour = kGrid});
    canvas.line({x, plot.bottom}, {x, plot.bottom + 4}, {.colour = kFaintInk});
    canvas.text({x, plot.bottom + 18}, tick.label,
                {.size = kTickSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
  }
  canvas.line({plot.left, plot.bottom}, {plot.right, plot.bottom}, {.colour = kFaintInk});
  canvas.text({(plot.left + plot.right) / 2, plot.bottom + 39},
              fitted(axis.label, kLabelSize, plot.width() + 40),
              {.size = kLabelSize, .anchor = Anchor::kMiddle});
}

void draw_vertical(Canvas& canvas, const Box& plot, const Axis& axis, const Scale& scale,
                   bool grid) {
  for (const Tick& tick : axis.ticks) {
    const double y = scale(tick.value);
    if (grid) canvas.line({plot.left, y}, {plot.right, y}, {.colour = kGrid});
    canvas.line({plot.left - 4, y}, {plot.left, y}, {.colour = kFaintInk});
    canvas.text({plot.left - 8, y + 4}, tick.label,
                {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
  }
  canvas.line({plot.left, plot.top}, {plot.left, plot.bottom}, {.colour = kFaintInk});
  canvas.text({plot.left - axis.width - 20, (plot.top + plot.bottom) / 2},
              fitted(axis.label, kLabelSize, plot.height() + 20),
              {.size = kLabelSize, .anchor = Anchor::kMiddle, .upward = true});
}

void draw_no_data(Canvas& canvas, const Box& plot) {
  canvas.text({(plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2}, "nothing to show",
              {.size = kLabelSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
}

double legend_width(const std::vector<LegendEntry>& entries) {
  double width = 0;
  for (const LegendEntry& entry : entries) {
    width = std::max(width, std::min(text_width(entry.name, kTickSize), kLegendText));
  }
  return entries.empty() ? 0 : width + 44;
}

double legend_height(const std::vector<LegendEntry>& entries) {
  return kLegendRow * static_cast<double>(entries.size());
}

void draw_legend(Canvas& canvas, Point top_left, const std::vector<LegendEntry>& entries) {
  double y = top_left.y + kLegendRow / 2;
  for (const LegendEntry& entry : entries) {
    const double x = top_left.x;
    if (entry.is_area) {
      canvas.rect({.left = x + 4, .top = y - 6, .right = x + 18, .bottom = y + 6}, entry.colour);
    } else {
      canvas.line({x, y}, {x + 22, y}, {.colour = entry.colour, .width = 2.5, .dash = entry.dash});
    }
    canvas.text({x + 28, y + 4}, fitted(entry.name, kTickSize, kLegendText), {.size = kTickSize});
    y += kLegendRow;
  }
}

}  // namespace glassrank
