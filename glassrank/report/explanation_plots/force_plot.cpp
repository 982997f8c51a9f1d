#include "glassrank/report/explanation_plots/force_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/report/plots/frame.h"

namespace glassrank {
namespace {

constexpr double kBar = 30;
constexpr double kTip = 6;
constexpr double kLabelRow = 18;
constexpr std::size_t kLabelRows = 3;
constexpr double kMostLabel = 240;

struct Segment {
  double from = 0;  // values; the arrow points from here
  double to = 0;
  const Part* part = nullptr;
};

class ForcePicture {
 public:
  explicit ForcePicture(const ForcePlot& chart)
      : chart_(chart),
        parts_(first_parts(chart.parts, chart.most_parts)),
        amounts_(amounts_of(parts_)) {
    for (const Part& part : parts_) value_ += part.amount;
    value_ += chart.base_value;
    // From the score outwards, the largest first.
    double raised = value_;
    double lowered = value_;
    for (const Part& part : parts_) {
      double& at = part.amount < 0 ? lowered : raised;
      segments_.push_back({.from = at - part.amount, .to = at, .part = &part});
      at -= part.amount;
    }
    const Span span{std::min(raised, chart.base_value), std::max(lowered, chart.base_value)};
    bar_ = {.left = 16,
            .top = top_margin(chart.title) + 38,
            .right = chart.width - 16,
            .bottom = top_margin(chart.title) + 38 + kBar};
    x_ = {.values = usable(span), .from = bar_.left + 30, .to = bar_.right - 30};
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    for (const Segment& segment : segments_) draw_segment(segment);
    draw_marks();
    for (const Segment& segment : segments_) draw_label(segment);
    const Box plot{.left = x_.from,
                   .top = bar_.bottom,
                   .right = x_.to,
                   .bottom = bar_.bottom + 16 + kLabelRow * kLabelRows};
    draw_horizontal(canvas_, plot, horizontal_axis(axis_label(), x_), x_, false);
    return {.width = chart_.width,
            .height = plot.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  std::string axis_label() const {
    return fmt::format("{}; orange raises it, blue lowers it", chart_.value_name);
  }

  void draw_segment(const Segment& segment) {
    const double from = x_(segment.from);
    const double to = x_(segment.to);
    const double middle = (bar_.top + bar_.bottom) / 2;
    const double sign = to < from ? -1 : 1;
    const double tip = sign * std::min(kTip, std::abs(to - from) / 2);
    // The next arrow's tail takes the tip of this one; a thin white edge keeps them apart.
    const std::vector<Point> shape = {{from, bar_.top},    {to - tip, bar_.top},
                                      {to, middle},        {to - tip, bar_.bottom},
                                      {from, bar_.bottom}, {from + tip, middle}};
    canvas_.polygon(shape, colour_of(*segment.part));
    canvas_.polyline({{to - tip, bar_.top}, {to, middle}, {to - tip, bar_.bottom}},
                     {.colour = "#ffffff", .width = 1});
  }

  // The score and the base value above the bar; the score's number gives way to neither side.
  void draw_marks() {
    const double score = x_(value_);
    const double base = x_(chart_.base_value);
    const double line = bar_.top - 22;
    const std::string score_text = fmt::format("{} {}", chart_.value_name, amounts_.plain(value_));
    const std::string base_text =
        fmt::format("no feature known {}", amounts_.plain(chart_.base_value));
    place_text(score, line, score_text, true);
    place_text(base, bar_.top - 6, base_text, false);
    canvas_.line({score, line + 4}, {score, bar_.bottom}, {.width = 2});
    canvas_.line({base, bar_.top - 2}, {base, bar_.bottom}, {.colour = kFaintInk, .dash = "3 2"});
  }

  // Beside the mark, towards the middle of the picture.
  void place_text(double x, double y, const std::string& text, bool bold) {
    const bool is_left = x < chart_.width / 2;
    canvas_.text({is_left ? x + 5 : x - 5, y}, text,
                 {.size = kTickSize,
                  .anchor = is_left ? Anchor::kStart : Anchor::kEnd,
                  .colour = bold ? kInk : kFaintInk,
                  .bold = bold});
  }

  void draw_label(const Segment& segment) {
    const double width = std::abs(x_(segment.to) - x_(segment.from));
    if (width < 4) return;
    const std::string text = fitted(label_of(*segment.part), kTickSize, kMostLabel);
    const double half = text_width(text, kTickSize) / 2 + 6;
    const double centre = (x_(segment.from) + x_(segment.to)) / 2;
    const double middle = std::clamp(centre, bar_.left + half, bar_.right - half);
    for (std::size_t row = 0; row < kLabelRows; ++row) {
      if (!is_free(row, middle - half, middle + half) || !is_reachable(row, centre)) continue;
      taken_[row].emplace_back(middle - half, middle + half);
      const double y = bar_.bottom + 18 + kLabelRow * static_cast<double>(row);
      canvas_.line({centre, bar_.bottom}, {centre, y - 11}, {.colour = "#b9c0c9"});
      canvas_.text({middle, y}, text,
                   {.size = kTickSize,
                    .anchor = Anchor::kMiddle,
                    .colour = segment.part->amount < 0 ? kLowers : kRaises});
      return;
    }
  }

  bool is_free(std::size_t row, double low, double high) const {
    return std::ranges::none_of(taken_[row], [&](const std::pair<double, double>& other) {
      return low < other.second && other.first < high;
    });
  }
  // No label stands in the way of the line from the bar to the row.
  bool is_reachable(std::size_t row, double x) const {
    for (std::size_t above = 0; above < row; ++above) {
      if (!is_free(above, x, x + 0.1)) return false;
    }
    return true;
  }

  const ForcePlot& chart_;
  const std::vector<Part> parts_;
  const Amounts amounts_;
  double value_ = 0;
  std::vector<Segment> segments_;
  std::array<std::vector<std::pair<double, double>>, kLabelRows> taken_;
  Box bar_;
  Scale x_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const ForcePlot& chart) { return ForcePicture(chart).draw(); }

}  // namespace glassrank
