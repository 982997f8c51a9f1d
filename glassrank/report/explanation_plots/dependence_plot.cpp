#include "glassrank/report/explanation_plots/dependence_plot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kMissingWidth = 64;
constexpr double kZeroWidth = 40;
constexpr double kLogSpan = 50;
constexpr double kRadius = 2.4;
constexpr double kCell = 1.5;  // pixels that count as one point

class DependencePicture {
 public:
  explicit DependencePicture(const DependencePlot& chart)
      : chart_(chart), bar_(percentile_bar(chart.colour_feature)) {
    places_ = percentiles(chart.colour_values);
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    const Axis vertical = vertical_axis(y_label(), y_);
    Box whole = plot_;
    whole.left = zero_left_;
    draw_vertical(canvas_, whole, vertical, y_, true);
    Axis horizontal = horizontal_axis(x_label(), x_);
    draw_horizontal(canvas_, plot_, horizontal, x_, false);
    if (y_.values.low < 0 && y_.values.high > 0) {
      canvas_.line({zero_left_, y_(0)}, {plot_.right, y_(0)}, {.colour = kFaintInk});
    }
    if (has_zeros_) draw_column(zero_left_, zero_left_ + kZeroWidth, "0");
    if (has_missing_) draw_column(right_ - kMissingWidth, right_, "missing");
    if (chart_.values.empty()) draw_no_data(canvas_, plot_);
    draw_points();
    if (has_colours()) {
      draw_colour_bar(canvas_, {right_, plot_.top}, plot_.height(), bar_);
    }
    return {.width = chart_.width,
            .height = chart_.height,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  bool has_colours() const { return !chart_.colour_feature.empty(); }
  std::string y_label() const { return fmt::format("attribution of {}", chart_.feature); }
  std::string x_label() const {
    if (outside_ == 0) return chart_.feature;
    return fmt::format(
        "{}; {:.1f} % of the documents lie outside", chart_.feature,
        100 * static_cast<double>(outside_) / static_cast<double>(chart_.values.size()));
  }

  // The middle 99 %, unless what is beyond them is not far away.
  static Span shown_values(const std::vector<double>& sorted) {
    const auto last = static_cast<double>(sorted.size() - 1);
    const Span middle{sorted[static_cast<std::size_t>(std::floor(0.005 * last))],
                      sorted[static_cast<std::size_t>(std::ceil(0.995 * last))]};
    const double size = middle.high - middle.low;
    Span shown{sorted.front(), sorted.back()};
    if (size == 0) return shown;
    if (shown.low < middle.low - size / 2) shown.low = middle.low;
    if (shown.high > middle.high + size / 2) shown.high = middle.high;
    return shown;
  }

  // Decides about the x axis from all values that are known.
  void choose_values(std::vector<double> known) {
    std::ranges::sort(known);
    if (known.empty()) return;
    const auto positive = std::ranges::upper_bound(known, 0.0);
    const auto num_positive = static_cast<double>(known.end() - positive);
    if (known.front() >= 0 && num_positive > 0) {
      const auto low = positive + static_cast<std::ptrdiff_t>(0.05 * (num_positive - 1));
      const auto high =
          positive + static_cast<std::ptrdiff_t>(std::ceil(0.95 * (num_positive - 1)));
      is_log_ = *high > kLogSpan * *low;
    }
    has_zeros_ = is_log_ && known.front() == 0;
    shown_ = is_log_ ? Span{*positive, known.back()} : shown_values(known);
    outside_ =
        is_log_ ? 0 : static_cast<std::size_t>(std::ranges::count_if(known, [&](double value) {
          return value < shown_.low || value > shown_.high;
        }));
  }

  void lay_out() {
    Span amounts{0, 0};
    std::vector<double> known;
    for (std::size_t i = 0; i < chart_.values.size(); ++i) {
      amounts.low = std::min(amounts.low, chart_.attributions[i]);
      amounts.high = std::max(amounts.high, chart_.attributions[i]);
      if (!std::isnan(chart_.values[i])) known.push_back(chart_.values[i]);
    }
    has_missing_ = known.size() < chart_.values.size();
    choose_values(std::move(known));
    plot_ = {.left = 0,
             .top = top_margin(chart_.title),
             .right = chart_.width - (has_colours() ? room_for(bar_) : 24),
             .bottom = chart_.height - kBottomMargin};
    right_ = plot_.right;
    if (has_missing_) plot_.right -= kMissingWidth + 10;
    y_ = {.values = rounded(amounts, most_vertical(plot_.height())),
          .from = plot_.bottom,
          .to = plot_.top};
    plot_.left = left_margin(vertical_axis(y_label(), y_));
    zero_left_ = plot_.left;
    if (has_zeros_) plot_.left += kZeroWidth + 10;
    x_ = {.values = usable(shown_), .from = plot_.left + 8, .to = plot_.right - 8, .log = is_log_};
  }

  void draw_column(double left, double right, std::string_view name) {
    canvas_.line({left, plot_.bottom}, {right, plot_.bottom}, {.colour = kFaintInk});
    canvas_.text({(left + right) / 2, plot_.bottom + 18}, name,
                 {.size = kTickSize, .anchor = Anchor::kMiddle, .colour = kFaintInk});
  }

  // Points of one column stand in seven files, by turns, so that they do not hide one another.
  double place_of(double value, std::size_t i) const {
    const double turn = (static_cast<double>(i % 7) - 3) * 4;
    if (std::isnan(value)) return right_ - kMissingWidth / 2 + turn;
    if (is_log_ && value == 0) return zero_left_ + kZeroWidth / 2 + turn;
    return x_(value);
  }

  void draw_points() {
    struct Place {
      double sum = 0;
      double count = 0;
    };
    std::map<std::pair<long, long>, Place> cells;
    for (std::size_t i = 0; i < chart_.values.size(); ++i) {
      const double value = chart_.values[i];
      const bool is_apart = std::isnan(value) || (is_log_ && value == 0);
      if (!is_apart && (value < shown_.low || value > shown_.high)) continue;
      const double x = place_of(value, i);
      Place& place =
          cells[{std::lround(x / kCell), std::lround(y_(chart_.attributions[i]) / kCell)}];
      place.sum += has_colours() ? places_[i] : 0;
      place.count += 1;
    }
    for (const auto& [at, place] : cells) {
      const double mean = place.sum / place.count;
      std::string colour(kDots);
      if (has_colours()) {
        colour = std::isnan(mean) ? std::string(kNoValueColour) : percentile_colour(mean);
      }
      canvas_.circle(
          {static_cast<double>(at.first) * kCell, static_cast<double>(at.second) * kCell}, kRadius,
          colour);
    }
  }

  static constexpr std::string_view kDots = "#0072b2";

  const DependencePlot& chart_;
  const ColourBar bar_;
  std::vector<double> places_;
  Span shown_ = {0, 1};
  bool is_log_ = false;
  bool has_zeros_ = false;
  double zero_left_ = 0;
  std::size_t outside_ = 0;
  bool has_missing_ = false;
  double right_ = 0;  // of the column of missing values, if there is one
  Box plot_;
  Scale x_;
  Scale y_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const DependencePlot& chart) { return DependencePicture(chart).draw(); }

}  // namespace glassrank
