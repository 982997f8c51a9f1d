#include "glassrank/report/explanation_plots/waterfall.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/report/plots/frame.h"

namespace glassrank {
namespace {

constexpr double kRow = 26;
constexpr double kBar = 18;
constexpr double kMostLabel = 270;
constexpr double kTip = 5;  // of an arrow

class WaterfallPlot {
 public:
  explicit WaterfallPlot(const Waterfall& chart)
      : chart_(chart),
        parts_(first_parts(chart.parts, chart.most_parts)),
        amounts_(amounts_of(parts_)) {
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    draw_horizontal(canvas_, plot_, horizontal_axis(chart_.value_name, x_), x_, true);
    double at = chart_.base_value;
    draw_end(0, "no feature known", at);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      draw_part(i + 1, parts_[i], at);
      at += parts_[i].amount;
    }
    draw_end(parts_.size() + 1, chart_.value_name, at);
    return {.width = chart_.width,
            .height = plot_.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  void lay_out() {
    Span span{chart_.base_value, chart_.base_value};
    double at = chart_.base_value;
    double label = std::max(text_width("no feature known", kTickSize),
                            text_width(chart_.value_name, kTickSize));
    double text = text_width(amounts_.plain(at), kTickSize);
    for (const Part& part : parts_) {
      at += part.amount;
      span.low = std::min(span.low, at);
      span.high = std::max(span.high, at);
      label = std::max(label, text_width(label_of(part), kTickSize));
      text = std::max(text, text_width(amounts_.with_sign(part.amount), kTickSize));
    }
    text = std::max(text, text_width(amounts_.plain(at), kTickSize));
    plot_ = {.left = std::min(label, kMostLabel) + 24,
             .top = top_margin(chart_.title),
             .right = chart_.width - 16,
             .bottom = 0};
    plot_.bottom = plot_.top + kRow * static_cast<double>(parts_.size() + 2);
    // The scale leaves room for the numbers at both ends of the bars.
    x_ = {.values = usable(span), .from = plot_.left + text + 14, .to = plot_.right - text - 14};
    const double per_pixel = (x_.values.high - x_.values.low) / (x_.to - x_.from);
    x_.values.low -= per_pixel * (x_.from - plot_.left);
    x_.values.high += per_pixel * (plot_.right - x_.to);
    x_.from = plot_.left;
    x_.to = plot_.right;
  }

  double middle(std::size_t row) const {
    return plot_.top + kRow * (static_cast<double>(row) + 0.5);
  }

  void draw_label(std::size_t row, const std::string& label, bool bold) {
    canvas_.text({plot_.left - 10, middle(row) + 4},
                 fitted(label, kTickSize * (bold ? 1.05 : 1), kMostLabel),
                 {.size = kTickSize, .anchor = Anchor::kEnd, .bold = bold});
  }

  // A tick with its number: where it begins and where it ends.
  void draw_end(std::size_t row, const std::string& label, double value) {
    draw_label(row, label, true);
    const double x = x_(value);
    canvas_.line({x, middle(row) - kBar / 2}, {x, middle(row) + kBar / 2}, {.width = 2.5});
    canvas_.text({x + 7, middle(row) + 4}, amounts_.plain(value),
                 {.size = kTickSize, .bold = true});
  }

  void draw_part(std::size_t row, const Part& part, double from) {
    draw_label(row, label_of(part), false);
    const double to = from + part.amount;
    const double begin = x_(from);
    const double end = x_(to);
    const double y = middle(row);
    // Where the row above has ended.
    canvas_.line({begin, y - kRow + kBar / 2}, {begin, y + kBar / 2},
                 {.colour = kFaintInk, .dash = "2 2"});
    const double sign = end < begin ? -1 : 1;
    const double tip = std::min(kTip, std::abs(end - begin));
    canvas_.polygon({{begin, y - kBar / 2},
                     {end - sign * tip, y - kBar / 2},
                     {end, y},
                     {end - sign * tip, y + kBar / 2},
                     {begin, y + kBar / 2}},
                    colour_of(part));
    const std::string text = amounts_.with_sign(part.amount);
    canvas_.text({end + sign * 6, y + 4}, text,
                 {.size = kTickSize, .anchor = sign < 0 ? Anchor::kEnd : Anchor::kStart});
    if (row == parts_.size()) {
      canvas_.line({end, y + kBar / 2}, {end, middle(row + 1) - kBar / 2},
                   {.colour = kFaintInk, .dash = "2 2"});
    }
  }

  const Waterfall& chart_;
  const std::vector<Part> parts_;
  const Amounts amounts_;
  Box plot_;
  Scale x_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const Waterfall& chart) { return WaterfallPlot(chart).draw(); }

}  // namespace glassrank
