#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/report/plots/effect_plot.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/row_density.h"

namespace glassrank {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 440;
constexpr double kMissingWidth = 54;
constexpr double kGap = 16;
constexpr std::string_view kMissing = "missing";
constexpr double kRowsHeight = 64;  // of the panel with the shares of rows
constexpr std::size_t kNumBars = 60;
constexpr std::string_view kBand = "#8a949e";

double total_weight(const GamEffect& effect) {
  return std::accumulate(effect.weights.begin(), effect.weights.end(), 0.0);
}

double margin_of(const GamEffect& effect, std::size_t c) {
  return effect.errors.empty() ? 0 : 2 * effect.errors[c];
}

// Of the values that are drawn, with their bands or without.
Span span_of(const GamEffect& effect, const ShownAxis& shown, bool with_missing, bool with_bands) {
  Span values{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const auto widen = [&](std::size_t c) {
    const double margin = with_bands ? margin_of(effect, c) : 0;
    values.low = std::min(values.low, effect.values[c] - margin);
    values.high = std::max(values.high, effect.values[c] + margin);
  };
  for (std::size_t c = shown.first; c <= shown.last; ++c) widen(c);
  if (with_missing) widen(effect.axes[0].missing_cell());
  return values;
}

class CurvePlot {
 public:
  CurvePlot(const GamEffect& effect, const std::string& name, const CurveLook& look)
      : effect_(effect),
        axis_(effect.axes[0]),
        name_(name),
        look_(look),
        title_(look.title.empty() ? name : look.title),
        shown_(shown_axis(effect.axes[0], effect.weights, look.range)) {}

  Picture draw() {
    lay_out();
    draw_title(canvas_, title_, kWidth);
    draw_vertical(canvas_, plot_, vertical_, y_, true);
    if (shows_missing()) draw_missing_panel();
    if (y_.values.low < 0 && y_.values.high > 0) {
      canvas_.line({plot_.left, y_(0)}, {plot_.right, y_(0)}, {.colour = kFaintInk});
    }
    if (has_rows_) draw_rows();
    Box base = plot_;
    base.bottom = bottom_;
    Axis horizontal = horizontal_axis(x_label(), x_);
    if (shows_missing()) {
      keep_left_of(horizontal, x_, missing_centre() - text_width(kMissing, kTickSize) / 2);
    }
    draw_horizontal(canvas_, base, horizontal, x_, false);
    draw_values();
    if (shows_missing()) draw_missing();
    return {.width = kWidth, .height = kHeight, .title = title_, .body = canvas_.take()};
  }

 private:
  void lay_out() {
    has_rows_ = !effect_.weights.empty() && total_weight(effect_) > 0;
    bottom_ = kHeight - kBottomMargin;
    plot_ = {.left = 0,
             .top = top_margin(title_),
             .right = kWidth - 24 - (shows_missing() ? kMissingWidth + kGap : 0),
             .bottom = bottom_ - (has_rows_ ? kRowsHeight + kGap : 0)};
    Span values = look_.scale.value_or(span_of(effect_, shown_, shows_missing(), true));
    // The line must not run along the border.
    const double room = 0.04 * (values.high - values.low);
    values = {values.low - room, values.high + room};
    y_ = {.values = rounded(usable(values), most_vertical(plot_.height())),
          .from = plot_.bottom,
          .to = plot_.top};
    vertical_ = vertical_axis(look_.y_label, y_);
    plot_.left = left_margin(vertical_);
    x_ = {.values = shown_.span, .from = plot_.left, .to = plot_.right, .log = shown_.log};
    missing_ = plot_;
    missing_.left = plot_.right + kGap;
    missing_.right = missing_.left + kMissingWidth;
  }

  double missing_centre() const { return (missing_.left + missing_.right) / 2; }
  double margin(std::size_t c) const { return margin_of(effect_, c); }
  bool shows_missing() const { return glassrank::shows_missing(effect_); }

  void draw_missing_panel() {
    draw_vertical(canvas_, missing_, {.label = "", .ticks = {}, .width = 0}, y_, false);
    for (const Tick& tick : vertical_.ticks) {
      canvas_.line({missing_.left, y_(tick.value)}, {missing_.right, y_(tick.value)},
                   {.colour = kGrid});
    }
    if (y_.values.low < 0 && y_.values.high > 0) {
      canvas_.line({missing_.left, y_(0)}, {missing_.right, y_(0)}, {.colour = kFaintInk});
    }
  }

  std::string x_label() const {
    std::string label = name_;
    if (!effect_.errors.empty()) label += "; band: 2 standard deviations over bags";
    if (shown_.outside >= 0.0005) {
      label += fmt::format("; {:.1f} % of the rows lie outside", 100 * shown_.outside);
    }
    return label;
  }

  double left_of(std::size_t c) const { return x_(shown_.of_cell(axis_, c).low); }
  double right_of(std::size_t c) const { return x_(shown_.of_cell(axis_, c).high); }

  void draw_values() {
    std::vector<Point> line;
    std::vector<Point> above;
    std::vector<Point> below;
    for (std::size_t c = shown_.first; c <= shown_.last; ++c) {
      for (const double x : {left_of(c), right_of(c)}) {
        line.push_back({x, y_(effect_.values[c])});
        above.push_back({x, y_(effect_.values[c] + margin(c))});
        below.push_back({x, y_(effect_.values[c] - margin(c))});
      }
    }
    if (!effect_.errors.empty()) {
      above.insert(above.end(), below.rbegin(), below.rend());
      canvas_.polygon(above, kBand, 0.3);
    }
    canvas_.polyline(line, {.width = 2});
  }

  void draw_missing() {
    const double centre = missing_centre();
    canvas_.line({missing_.left, bottom_}, {missing_.right, bottom_}, {.colour = kFaintInk});
    canvas_.text({centre, bottom_ + 18}, kMissing,
                 {.size = kTickSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
    const std::size_t c = axis_.missing_cell();
    const double value = effect_.values[c];
    if (margin(c) > 0) {
      canvas_.line({centre, y_(value - margin(c))}, {centre, y_(value + margin(c))},
                   {.width = 1.5});
    }
    canvas_.circle({centre, y_(value)}, 4, kInk);
  }

  std::vector<RowBar> bars() const {
    std::vector<RowBar> cells;
    for (std::size_t c = shown_.first; c <= shown_.last; ++c) {
      cells.push_back({.low = left_of(c), .high = right_of(c), .weight = effect_.weights[c]});
    }
    return row_slices(cells, plot_.left, plot_.right, kNumBars);
  }

  // Bars of the share of rows, and that of missing values.
  void draw_rows() {
    const double total = total_weight(effect_);
    const double centre = missing_centre();
    std::vector<RowBar> all = bars();
    if (shows_missing()) {
      all.push_back({.low = centre - 12,
                     .high = centre + 12,
                     .weight = effect_.weights[axis_.missing_cell()]});
    }
    const double largest = std::ranges::max(all, {}, &RowBar::weight).weight / total;
    const Scale root{.values = {0, std::sqrt(largest > 0 ? largest : 1)},
                     .from = bottom_,
                     .to = bottom_ - kRowsHeight};
    for (const RowBar& bar : all) {
      if (bar.weight <= 0) continue;
      const double top = std::min(root(std::sqrt(bar.weight / total)), bottom_ - 1);
      const double inset = bar.high - bar.low > 6 ? 0.5 : 0;
      canvas_.rect({bar.low + inset, top, std::max(bar.high - inset, bar.low + 0.6), bottom_},
                   kRowColour);
    }
    canvas_.line({plot_.left, root.to}, {plot_.left, bottom_}, {.colour = kFaintInk});
    canvas_.text({plot_.left - 8, root.to + 8}, fmt::format("{:.2g} %", 100 * largest),
                 {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
    canvas_.text({plot_.left - 8, bottom_}, "rows",
                 {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
  }

  const GamEffect& effect_;
  const GamAxis& axis_;
  const std::string& name_;
  const CurveLook& look_;
  const std::string title_;
  const ShownAxis shown_;
  bool has_rows_ = false;
  double bottom_ = 0;  // of the panel with the rows, where the x axis is
  Box plot_;
  Box missing_;
  Scale x_;
  Scale y_;
  Axis vertical_;
  Canvas canvas_;
};

}  // namespace

Picture draw_curve(const GamEffect& effect, const std::string& name, const CurveLook& look) {
  if (has_two_cells(effect, look.range)) return draw_two_cells(effect, name, look);
  return CurvePlot(effect, name, look).draw();
}

Span span_of_curve(const GamEffect& effect, bool with_bands) {
  return span_of(effect, shown_axis(effect.axes[0], effect.weights), shows_missing(effect),
                 with_bands);
}

Span curve_scale(const Gam& gam) {
  Span all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const GamEffect& effect : gam.effects()) {
    if (effect.is_pair()) continue;
    const Span own = span_of_curve(effect, true);
    all = {std::min(all.low, own.low), std::max(all.high, own.high)};
  }
  return all;
}

}  // namespace glassrank
