#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/report/plots/effect_plot.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"
#include "glassrank/report/plots/row_density.h"

namespace glassrank {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 542;
constexpr double kGap = 10;          // before the cells of missing values
constexpr double kMissingSize = 30;  // of their row and column
constexpr double kBarWidth = 16;
constexpr double kRowsRoom = 44;        // beside the cells, for where the rows are
constexpr std::size_t kNumSlices = 50;  // of them
constexpr int kSteps = 32;              // of colour to either side of 0
constexpr double kPale = 0.35;
constexpr double kDotRoom = 7;  // that a cell needs to hold a dot
constexpr std::string_view kMissing = "missing";

// Rows by the cells of one of the two axes; empty: not known.
std::vector<double> rows_along(const GamEffect& effect, std::size_t axis) {
  if (effect.weights.empty()) return {};
  std::vector<double> rows(effect.axes[axis].num_cells());
  const std::size_t num_second = effect.axes[1].num_cells();
  for (std::size_t cell = 0; cell < effect.weights.size(); ++cell) {
    rows[axis == 0 ? cell / num_second : cell % num_second] += effect.weights[cell];
  }
  return rows;
}

// Cells of one feature from low to high: by name, each as wide as the others, or where they stand
// on an axis of numbers.
struct Side {
  struct Place {
    std::size_t cell = 0;
    Span span;
  };
  std::vector<Place> places;
  std::vector<std::string> names;  // of the places; empty: numbers
  ShownAxis shown;
  bool is_cut = false;  // cells at the ends may reach further than is drawn
  std::optional<std::size_t> missing;

  Scale scale() const {
    if (names.empty()) return {.values = shown.span, .log = shown.log};
    return {.values = {0, static_cast<double>(names.size())}};
  }
};

void add_named(Side& side, std::size_t cell, std::string name) {
  const auto at = static_cast<double>(side.places.size());
  side.places.push_back({cell, {at, at + 1}});
  side.names.push_back(std::move(name));
}

// Two cells, "0" and "1", wherever the edges between them are.
void add_switch(Side& side, const GamAxis& axis) {
  const std::size_t off = axis.cell(0);
  const std::size_t on = axis.cell(1);
  add_named(side, off, off == on ? "0, 1" : "0");
  if (off != on) add_named(side, on, "1");
}

// Nothing is known of the values but on which side of the border they are.
void add_border(Side& side, double edge) {
  if (edge == 0.5) {  // nothing but 0 and 1 is likely, as in curves
    add_named(side, 0, "0");
    add_named(side, 1, "1");
    return;
  }
  add_named(side, 0, fmt::format("at most {:.4g}", edge));
  add_named(side, 1, fmt::format("above {:.4g}", edge));
}

// A cell of one category has its name; several ones together, and those unseen, are others.
void add_categories(Side& side, const GamAxis& axis, std::span<const std::string> categories) {
  std::map<std::size_t, std::vector<std::size_t>> codes;
  for (std::size_t code = 0; code <= categories.size(); ++code) {
    codes[axis.cell(static_cast<float>(code))].push_back(code);
  }
  for (const auto& [cell, held] : codes) {
    const bool has_name = held.size() == 1 && held[0] < categories.size();
    add_named(side, cell, has_name ? categories[held[0]] : "others");
  }
}

void add_numbers(Side& side, const GamAxis& axis, std::span<const double> rows,
                 const std::optional<FeatureRange>& range) {
  side.shown = shown_axis(axis, rows, range);
  Span& span = side.shown.span;
  // A cell at the end is as wide as the data say.
  const bool is_known = range && std::isfinite(range->low) && std::isfinite(range->high);
  if (is_known && side.shown.first == 0 && (!side.shown.log || range->low > 0)) {
    span.low = std::min(span.low, range->low);
  }
  if (is_known && side.shown.last == axis.edges.size())
    span.high = std::max(span.high, range->high);
  for (std::size_t cell = side.shown.first; cell <= side.shown.last; ++cell) {
    const Span place = side.shown.of_cell(axis, cell);
    if (place.high > place.low) side.places.push_back({cell, place});
  }
  side.is_cut = !is_known;
}

Side side_of(const GamEffect& effect, std::size_t number, const SurfaceFeature& feature) {
  const GamAxis& axis = effect.axes[number];
  Side side;
  if (!feature.categories.empty()) {
    add_categories(side, axis, feature.categories);
  } else if (feature.range && feature.range->is_switch) {
    add_switch(side, axis);
  } else if (!feature.range && axis.edges.size() == 1 && std::isfinite(axis.edges[0])) {
    add_border(side, place_of_edge(axis.edges[0]));
  } else {
    add_numbers(side, axis, rows_along(effect, number), feature.range);
  }
  if (shows_missing(effect, number)) side.missing = axis.missing_cell();
  return side;
}

class SurfacePlot {
 public:
  SurfacePlot(const GamEffect& effect, const SurfaceFeature& first, const SurfaceFeature& second,
              const SurfaceLook& look)
      : effect_(effect),
        across_name_(first.name),
        upward_name_(second.name),
        across_(side_of(effect, 0, first)),
        upward_(side_of(effect, 1, second)),
        look_(look),
        title_(look.title.empty() ? fmt::format("{} x {}", first.name, second.name) : look.title) {
    const Span span = span_of_surface(effect);
    largest_ = std::max({look.largest, std::abs(span.low), std::abs(span.high)});
    if (!(largest_ > 0)) largest_ = 1;
  }

  Picture draw() {
    lay_out();
    draw_title(canvas_, title_, kWidth);
    draw_cells();
    if (has_rows_) draw_rows();
    draw_axes();
    draw_colours();
    const Picture picture{
        .width = kWidth, .height = kHeight, .title = title_, .body = canvas_.take()};
    return with_note(picture, note());
  }

 private:
  // A cell of the table and where it is drawn.
  struct Patch {
    std::size_t cell = 0;
    Box box;
  };

  void lay_out() {
    const std::vector<double> rows = rows_along(effect_, 0);
    has_rows_ = std::ranges::any_of(rows, [](double number) { return number > 0; });
    const double beside = has_rows_ ? kRowsRoom + kGap : 0;
    bottom_ = kHeight - kBottomMargin;
    plot_ = {.left = 0,
             .top = top_margin("x") + (upward_.missing ? kMissingSize + kGap : 0),
             .right = kWidth - beside,
             .bottom = bottom_ - beside};
    colours_ = {.values = {-largest_, largest_}, .from = plot_.bottom, .to = top_margin("x")};
    legend_ = vertical_axis("", colours_);
    plot_.right -= 24 + kBarWidth + 8 + legend_.width + 34;
    if (across_.missing) plot_.right -= kGap + kMissingSize;
    y_ = upward_.scale();
    y_.from = plot_.bottom;
    y_.to = plot_.top;
    vertical_ = upward_.names.empty() ? vertical_axis(upward_name_, y_)
                                      : vertical_names(upward_name_, upward_.names, plot_.height());
    if (upward_.missing) {
      vertical_.width = std::max(vertical_.width, text_width(kMissing, kTickSize));
    }
    plot_.left = left_margin(vertical_);
    x_ = across_.scale();
    x_.from = plot_.left;
    x_.to = plot_.right;
    horizontal_ = across_.names.empty()
                      ? horizontal_axis(across_name_, x_)
                      : horizontal_names(across_name_, across_.names, plot_.width());
    if (across_.missing) {
      keep_left_of(horizontal_, x_, missing_centre() - text_width(kMissing, kTickSize) / 2);
    }
  }

  double missing_centre() const { return plot_.right + kGap + kMissingSize / 2; }
  double missing_bottom() const { return plot_.top - kGap; }

  bool is_empty(std::size_t cell) const {
    return !effect_.weights.empty() && effect_.weights[cell] <= 0;
  }
  bool is_unsure(std::size_t cell) const {
    return !effect_.errors.empty() && !is_empty(cell) &&
           std::abs(effect_.values[cell]) < 2 * effect_.errors[cell];
  }

  // Row by row from below, missing ones last.
  std::vector<std::vector<Patch>> patches() const {
    std::vector<std::pair<std::size_t, Span>> columns;
    std::vector<std::pair<std::size_t, Span>> rows;  // pixels, the lower end first
    for (const auto& [cell, span] : across_.places) {
      columns.push_back({cell, {x_(span.low), x_(span.high)}});
    }
    for (const auto& [cell, span] : upward_.places) {
      rows.push_back({cell, {y_(span.low), y_(span.high)}});
    }
    if (across_.missing) {
      columns.push_back(
          {*across_.missing, {plot_.right + kGap, plot_.right + kGap + kMissingSize}});
    }
    if (upward_.missing) {
      rows.push_back({*upward_.missing, {missing_bottom(), missing_bottom() - kMissingSize}});
    }
    std::vector<std::vector<Patch>> all;
    for (const auto& [j, row] : rows) {
      all.emplace_back();
      for (const auto& [i, column] : columns) {
        all.back().push_back(
            {i * effect_.axes[1].num_cells() + j,
             {.left = column.low, .top = row.high, .right = column.high, .bottom = row.low}});
      }
    }
    return all;
  }

  // Places of a side in pixels with their rows, sliced where they stand on an axis of numbers, and
  // missing ones last.
  std::vector<RowBar> bars_of(std::size_t axis, const Side& side, const Scale& scale) const {
    const std::vector<double> rows = rows_along(effect_, axis);
    std::vector<RowBar> bars;
    for (const auto& [cell, span] : side.places) {
      const double a = scale(span.low);
      const double b = scale(span.high);
      bars.push_back({std::min(a, b), std::max(a, b), rows[cell]});
    }
    if (side.names.empty()) {
      bars = row_slices(bars, std::min(scale.from, scale.to), std::max(scale.from, scale.to),
                        kNumSlices);
    }
    if (side.missing) {
      const double low = axis == 0 ? plot_.right + kGap : missing_bottom() - kMissingSize;
      bars.push_back({low, low + kMissingSize, rows[*side.missing]});
    }
    return bars;
  }

  // Columns below the cells and bars to their right; lengths by square root, as those of curves.
  void draw_rows() {
    const double right = plot_.right + (across_.missing ? kGap + kMissingSize : 0) + kGap;
    for (const std::size_t axis : {0, 1}) {
      const std::vector<RowBar> bars =
          axis == 0 ? bars_of(0, across_, x_) : bars_of(1, upward_, y_);
      const double most = std::max(1e-300, std::ranges::max(bars, {}, &RowBar::weight).weight);
      for (const RowBar& bar : bars) {
        if (bar.weight <= 0) continue;
        const double length = std::max(1.0, kRowsRoom * std::sqrt(bar.weight / most));
        const double inset = bar.high - bar.low > 6 ? 0.5 : 0;
        const double low = bar.low + inset;
        const double high = std::max(bar.high - inset, bar.low + 0.6);
        canvas_.rect(axis == 0 ? Box{low, bottom_ - length, high, bottom_}
                               : Box{right, low, right + length, high},
                     kRowColour);
      }
    }
  }

  // A path for every colour, of rectangles for runs of equal cells along a row.
  void draw_cells() {
    const auto key_of = [&](const Patch& patch) {
      const double share = effect_.values[patch.cell] / largest_;
      return std::pair(is_empty(patch.cell), static_cast<int>(std::lround(share * kSteps)));
    };
    std::map<std::pair<bool, int>, std::string> paths;
    std::vector<Point> dots;
    for (const std::vector<Patch>& row : patches()) {
      for (std::size_t i = 0; i < row.size();) {
        const auto key = key_of(row[i]);
        std::size_t end = i + 1;
        while (end < row.size() && row[end].box.left == row[end - 1].box.right &&
               key_of(row[end]) == key) {
          ++end;
        }
        const Box& from = row[i].box;
        paths[key] += fmt::format("M{} {}H{}V{}H{}z", svg_number(from.left), svg_number(from.top),
                                  svg_number(row[end - 1].box.right), svg_number(from.bottom),
                                  svg_number(from.left));
        i = end;
      }
      for (const auto& [cell, box] : row) {
        if (!is_unsure(cell) || box.width() < kDotRoom || box.height() < kDotRoom) continue;
        dots.push_back({(box.left + box.right) / 2, (box.top + box.bottom) / 2});
      }
    }
    canvas_.add("<g shape-rendering=\"crispEdges\">\n");
    for (const auto& [key, path] : paths) {
      canvas_.add(fmt::format("<path fill=\"{}\"{} d=\"{}\"/>\n",
                              signed_colour(static_cast<double>(key.second) / kSteps),
                              key.first ? fmt::format(" fill-opacity=\"{}\"", kPale) : "", path));
    }
    canvas_.add("</g>\n");
    for (const Point& dot : dots) canvas_.circle(dot, 1.3, kInk);
    has_pale_ = !paths.empty() && paths.rbegin()->first.first;  // keys of empty cells come last
    has_dots_ = !dots.empty();
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
    frame(plot_);
    Box column = plot_;  // of missing values, as is the row
    column.left = plot_.right + kGap;
    column.right = column.left + kMissingSize;
    Box row = plot_;
    row.bottom = missing_bottom();
    row.top = row.bottom - kMissingSize;
    Box base = plot_;
    base.bottom = bottom_;
    draw_horizontal(canvas_, base, horizontal_, x_, false);
    draw_vertical(canvas_, plot_, vertical_, y_, false);
    if (across_.missing) {
      frame(column);
      canvas_.text({missing_centre(), bottom_ + 18}, kMissing,
                   {.size = kTickSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
    }
    if (upward_.missing) {
      frame(row);
      canvas_.text({plot_.left - 8, (row.top + row.bottom) / 2 + 4}, kMissing,
                   {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
    }
    if (across_.missing && upward_.missing) {
      frame({.left = column.left, .top = row.top, .right = column.right, .bottom = row.bottom});
    }
  }

  void draw_colours() {
    const double left = plot_.right + (across_.missing ? kGap + kMissingSize : 0) +
                        (has_rows_ ? kRowsRoom + kGap : 0) + 24;
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

  std::string note() const {
    std::string text = fmt::format(
        "orange cells raise the score, blue ones lower it, those of 0 have the colour of the "
        "page{}.",
        look_.largest > 0 ? "; the colours say the same in all maps of the model" : "");
    if (across_.names.empty() || upward_.names.empty()) {
      const bool is_cut = across_.is_cut || upward_.is_cut;
      text += fmt::format(" Cells are as wide as their ranges{}.",
                          is_cut ? "; how far the outermost ones reach is not known" : "");
    }
    if (has_rows_) {
      text += " Grey columns and bars show how many rows have such values (length by square root).";
    }
    if (has_pale_) text += " Pale cells hold no row.";
    if (has_dots_) text += " A dot: two standard deviations over bags reach to 0 and beyond.";
    return text;
  }

  const GamEffect& effect_;
  const std::string& across_name_;
  const std::string& upward_name_;
  const Side across_;
  const Side upward_;
  const SurfaceLook& look_;
  const std::string title_;
  double largest_ = 1;
  bool has_pale_ = false;
  bool has_dots_ = false;
  bool has_rows_ = false;
  double bottom_ = 0;  // where the x axis is
  Box plot_;
  Scale x_;
  Scale y_;
  Scale colours_;
  Axis legend_;
  Axis vertical_;
  Axis horizontal_;
  Canvas canvas_;
};

}  // namespace

Picture draw_surface(const GamEffect& effect, const SurfaceFeature& first,
                     const SurfaceFeature& second, const SurfaceLook& look) {
  return SurfacePlot(effect, first, second, look).draw();
}

Span span_of_surface(const GamEffect& effect) {
  Span span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const std::array shown = {shows_missing(effect, 0), shows_missing(effect, 1)};
  for (std::size_t cell = 0; cell < effect.values.size(); ++cell) {
    const std::size_t num_second = effect.axes[1].num_cells();
    if (!shown[0] && cell / num_second == effect.axes[0].missing_cell()) continue;
    if (!shown[1] && cell % num_second == effect.axes[1].missing_cell()) continue;
    span.low = std::min(span.low, effect.values[cell]);
    span.high = std::max(span.high, effect.values[cell]);
  }
  return span;
}

double surface_scale(const Gam& gam) {
  double largest = 0;
  for (const GamEffect& effect : gam.effects()) {
    if (!effect.is_pair()) continue;
    const Span span = span_of_surface(effect);
    largest = std::max({largest, std::abs(span.low), std::abs(span.high)});
  }
  return largest;
}

bool shows_missing(const GamEffect& effect, std::size_t axis) {
  const std::vector<double> rows = effect.is_pair() ? rows_along(effect, axis) : effect.weights;
  if (std::ranges::none_of(rows, [](double number) { return number > 0; })) return true;
  return rows[effect.axes[axis].missing_cell()] > 0;
}

}  // namespace glassrank
