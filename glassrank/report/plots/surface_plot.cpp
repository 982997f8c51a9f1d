#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/report/plots/effect_plot.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 542;
constexpr double kGap = 10;          // before the cells of missing values
constexpr double kMissingSize = 30;  // of their row and column
constexpr double kBarWidth = 16;
constexpr int kSteps = 32;  // of colour to either side of 0
constexpr double kPale = 0.35;
constexpr std::string_view kMissing = "missing";

// Four digits; what has more before the point is written out.
std::string edge_label(double edge) {
  return std::abs(edge) >= 1e4 ? tick_label(edge, 0) : fmt::format("{:.4g}", edge);
}

// Edges at the borders of equal cells, every n-th if not all fit.
std::vector<Tick> edge_ticks(const GamAxis& axis, double room, bool across) {
  std::vector<std::string> labels;
  double need = kTickSize + 6;
  for (const float edge : axis.edges) {
    labels.push_back(edge_label(place_of_edge(edge)));
    if (across) need = std::max(need, text_width(labels.back(), kTickSize) + 10);
  }
  const double cell = room / static_cast<double>(axis.edges.size() + 1);
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(need / cell)));
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < labels.size(); i += every) {
    ticks.push_back({.value = static_cast<double>(i + 1), .label = labels[i]});
  }
  return ticks;
}

class SurfacePlot {
 public:
  SurfacePlot(const GamEffect& effect, const std::string& first, const std::string& second,
              double largest, const std::string& title)
      : effect_(effect),
        first_(first),
        second_(second),
        columns_(effect.axes[0].edges.size() + 1),
        rows_(effect.axes[1].edges.size() + 1),
        largest_(largest),
        title_(title.empty() ? fmt::format("{} x {}", first, second) : title) {
    for (const double value : effect.values) largest_ = std::max(largest_, std::abs(value));
  }

  Picture draw() {
    lay_out();
    draw_title(canvas_, title_, kWidth);
    draw_cells();
    draw_axes();
    draw_colours();
    return {.width = kWidth, .height = kHeight, .title = title_, .body = canvas_.take()};
  }

 private:
  void lay_out() {
    plot_ = {.left = 0,
             .top = top_margin("x") + kMissingSize + kGap,
             .right = kWidth,
             .bottom = kHeight - kBottomMargin};
    colours_ = {.values = {-largest_or_one(), largest_or_one()},
                .from = plot_.bottom,
                .to = plot_.top - kMissingSize - kGap};
    legend_ = vertical_axis("", colours_);
    plot_.right -= 24 + kBarWidth + 8 + legend_.width + 34 + kGap + kMissingSize;
    vertical_ = {.label = second_,
                 .ticks = edge_ticks(effect_.axes[1], plot_.height(), false),
                 .width = text_width(kMissing, kTickSize)};
    for (const Tick& tick : vertical_.ticks) {
      vertical_.width = std::max(vertical_.width, text_width(tick.label, kTickSize));
    }
    plot_.left = left_margin(vertical_);
    horizontal_ = {
        .label = first_, .ticks = edge_ticks(effect_.axes[0], plot_.width(), true), .width = 0};
    keep_left_of(horizontal_, columns_scale(),
                 missing_centre() - text_width(kMissing, kTickSize) / 2);
  }

  double missing_centre() const { return plot_.right + kGap + kMissingSize / 2; }
  Scale columns_scale() const {
    return {.values = {0, static_cast<double>(columns_)}, .from = plot_.left, .to = plot_.right};
  }

  double largest_or_one() const { return largest_ > 0 ? largest_ : 1; }
  bool is_empty(std::size_t cell) const {
    return !effect_.weights.empty() && effect_.weights[cell] <= 0;
  }

  // The cell of column i and row j, missing ones last; row 0 is at the bottom.
  Box box(std::size_t i, std::size_t j) const {
    const double w = plot_.width() / static_cast<double>(columns_);
    const double h = plot_.height() / static_cast<double>(rows_);
    Box box{.left = plot_.left + w * static_cast<double>(i),
            .top = plot_.bottom - h * static_cast<double>(j + 1),
            .right = plot_.left + w * static_cast<double>(i + 1),
            .bottom = plot_.bottom - h * static_cast<double>(j)};
    if (i == columns_) {
      box.left = plot_.right + kGap;
      box.right = box.left + kMissingSize;
    }
    if (j == rows_) {
      box.bottom = plot_.top - kGap;
      box.top = box.bottom - kMissingSize;
    }
    return box;
  }

  // A path for every colour, of rectangles for runs of equal cells along a row.
  void draw_cells() {
    const auto key_of = [&](std::size_t i, std::size_t j) {
      const std::size_t cell = i * effect_.axes[1].num_cells() + j;
      const double share = effect_.values[cell] / largest_or_one();
      return std::pair(is_empty(cell), static_cast<int>(std::lround(share * kSteps)));
    };
    std::map<std::pair<bool, int>, std::string> paths;
    for (std::size_t j = 0; j <= rows_; ++j) {
      for (std::size_t i = 0; i <= columns_;) {
        const auto key = key_of(i, j);
        std::size_t end = i + 1;
        while (end < columns_ && key_of(end, j) == key) ++end;
        const Box from = box(i, j);
        paths[key] += fmt::format("M{} {}H{}V{}H{}z", svg_number(from.left), svg_number(from.top),
                                  svg_number(box(end - 1, j).right), svg_number(from.bottom),
                                  svg_number(from.left));
        i = end;
      }
    }
    canvas_.add("<g shape-rendering=\"crispEdges\">\n");
    for (const auto& [key, path] : paths) {
      canvas_.add(fmt::format("<path fill=\"{}\"{} d=\"{}\"/>\n",
                              signed_colour(static_cast<double>(key.second) / kSteps),
                              key.first ? fmt::format(" fill-opacity=\"{}\"", kPale) : "", path));
    }
    canvas_.add("</g>\n");
  }

  void frame(const Box& area) {
    canvas_.polyline({{area.left, area.top},
                      {area.right, area.top},
                      {area.right, area.bottom},
                      {area.left, area.bottom},
                      {area.left, area.top}},
                     {.colour = kFaintInk});
  }

  void draw_axes() {
    const Box corner = box(columns_, rows_);
    frame(plot_);
    frame({corner.left, plot_.top, corner.right, plot_.bottom});
    frame({plot_.left, corner.top, plot_.right, corner.bottom});
    frame(corner);
    const Scale y{.values = {0, static_cast<double>(rows_)}, .from = plot_.bottom, .to = plot_.top};
    draw_horizontal(canvas_, plot_, horizontal_, columns_scale(), false);
    draw_vertical(canvas_, plot_, vertical_, y, false);
    canvas_.text({missing_centre(), plot_.bottom + 18}, kMissing,
                 {.size = kTickSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
    canvas_.text({plot_.left - 8, (corner.top + corner.bottom) / 2 + 4}, kMissing,
                 {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
  }

  void draw_colours() {
    const double left = plot_.right + kGap + kMissingSize + 24;
    const Box bar{
        .left = left, .top = colours_.to, .right = left + kBarWidth, .bottom = colours_.from};
    const double step = bar.height() / (2 * kSteps + 1);
    for (int i = 0; i <= 2 * kSteps; ++i) {
      // Each to the top, where the next covers it: no seams between them.
      canvas_.rect({bar.left, bar.top, bar.right, bar.bottom - step * i},
                   signed_colour(static_cast<double>(i - kSteps) / kSteps));
    }
    frame(bar);
    for (const Tick& tick : legend_.ticks) {
      const double y = colours_(tick.value);
      canvas_.line({bar.right, y}, {bar.right + 4, y}, {.colour = kFaintInk});
      canvas_.text({bar.right + 7, y + 4}, tick.label, {.size = kTickSize, .colour = kFaintInk});
    }
    canvas_.text({bar.right + legend_.width + 24, (bar.top + bar.bottom) / 2},
                 "effect on the score",
                 {.size = kLabelSize, .anchor = Anchor::kMiddle, .upward = true});
  }

  const GamEffect& effect_;
  const std::string& first_;
  const std::string& second_;
  std::size_t columns_;  // without that of missing values
  std::size_t rows_;
  double largest_;
  std::string title_;
  Box plot_;
  Scale colours_;
  Axis legend_;
  Axis vertical_;
  Axis horizontal_;
  Canvas canvas_;
};

}  // namespace

Picture draw_surface(const GamEffect& effect, const std::string& first, const std::string& second,
                     double largest, const std::string& title) {
  return SurfacePlot(effect, first, second, largest, title).draw();
}

double surface_scale(const Gam& gam) {
  double largest = 0;
  for (const GamEffect& effect : gam.effects()) {
    if (!effect.is_pair()) continue;
    for (const double value : effect.values) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace glassrank
