#include "glassrank/report/explanation_plots/part_bars.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "glassrank/report/plots/frame.h"

namespace glassrank {
namespace {

constexpr double kRow = 24;
constexpr double kBar = 16;
constexpr double kMostLabel = 240;
constexpr double kMostColumn = 110;
constexpr double kLine = 16;

class PartBarsPlot {
 public:
  explicit PartBarsPlot(const PartBars& chart)
      : chart_(chart),
        parts_(first_parts(chart.parts, chart.most_parts)),
        amounts_(amounts_of(parts_)),
        num_columns_(std::min<std::size_t>(chart.value_columns.size(), 2)) {
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    draw_headings();
    draw_horizontal(canvas_, plot_, horizontal_axis(chart_.x_label, x_), x_, true);
    if (parts_.empty()) draw_no_data(canvas_, plot_);
    for (std::size_t i = 0; i < parts_.size(); ++i) draw_part(i, parts_[i]);
    canvas_.line({x_(0), plot_.top}, {x_(0), plot_.bottom}, {.colour = kFaintInk});
    return {.width = chart_.width,
            .height = plot_.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  static const std::string& value_of(const Part& part, std::size_t column) {
    return column == 0 ? part.value : part.other_value;
  }
  const std::string& detail(std::size_t column) const {
    static const std::string kNone;
    return column < chart_.column_details.size() ? chart_.column_details[column] : kNone;
  }
  bool has_details() const { return !detail(0).empty() || !detail(1).empty(); }
  bool has_notes() const { return !chart_.left_note.empty() || !chart_.right_note.empty(); }

  void lay_out() {
    double label = 60;
    double text = 0;
    Span span{0, 0};
    std::array<double, 2> column = {0, 0};
    for (std::size_t c = 0; c < num_columns_; ++c) {
      column[c] = std::max(text_width(chart_.value_columns[c], kTickSize * 1.05),
                           text_width(detail(c), kTickSize));
    }
    for (const Part& part : parts_) {
      label = std::max(label, text_width(part.label, kTickSize));
      text = std::max(text, text_width(amounts_.with_sign(part.amount), kTickSize));
      const double error = std::isfinite(part.error) ? part.error : 0;
      span.low = std::min(span.low, part.amount - (part.amount < 0 ? error : 0));
      span.high = std::max(span.high, part.amount + (part.amount > 0 ? error : 0));
      for (std::size_t c = 0; c < num_columns_; ++c) {
        column[c] = std::max(column[c], text_width(value_of(part, c), kTickSize));
      }
    }
    double left = 12 + std::min(label, kMostLabel);
    for (std::size_t c = 0; c < num_columns_; ++c) {
      widths_[c] = std::min(column[c], kMostColumn);
      left += 14 + widths_[c];
      column_ends_[c] = left;
    }
    label_end_ = 12 + std::min(label, kMostLabel);
    plot_ = {.left = left + 14,
             .top = top_margin(chart_.title) + heading_height(),
             .right = chart_.width - 16,
             .bottom = 0};
    plot_.bottom = plot_.top + std::max(60.0, kRow * static_cast<double>(parts_.size()));
    if (span.low == span.high) span.high = 1;
    // Numbers stand beyond the bars, to the left only if there are bars to the left.
    const double low = plot_.left + (span.low < 0 ? text + 12 : 4);
    const double high = plot_.right - (span.high > 0 ? text + 12 : 4);
    const double per_pixel = (span.high - span.low) / (high - low);
    x_ = {.values = {span.low - per_pixel * (low - plot_.left),
                     span.high + per_pixel * (plot_.right - high)},
          .from = plot_.left,
          .to = plot_.right};
  }

  double heading_height() const {
    double lines = 0;
    if (num_columns_ > 0) lines = has_details() ? 2 : 1;
    if (has_notes()) lines = std::max(lines, 1.0);
    return lines * kLine + (lines > 0 ? 6 : 0);
  }

  void draw_headings() {
    const double last = plot_.top - 8;
    for (std::size_t c = 0; c < num_columns_; ++c) {
      const double first = has_details() ? last - kLine : last;
      canvas_.text({column_ends_[c], first},
                   fitted(chart_.value_columns[c], kTickSize * 1.05, widths_[c]),
                   {.size = kTickSize, .anchor = Anchor::kEnd, .bold = true});
      canvas_.text({column_ends_[c], last}, fitted(detail(c), kTickSize, widths_[c]),
                   {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kFaintInk});
    }
    const double zero = x_(0);
    canvas_.text({zero - 8, last}, fitted(chart_.left_note, kTickSize, zero - 8 - plot_.left),
                 {.size = kTickSize, .anchor = Anchor::kEnd, .colour = kLowers});
    canvas_.text({zero + 8, last}, fitted(chart_.right_note, kTickSize, plot_.right - zero - 8),
                 {.size = kTickSize, .colour = kRaises});
  }

  void draw_part(std::size_t row, const Part& part) {
    const double y = plot_.top + kRow * (static_cast<double>(row) + 0.5);
    canvas_.text({label_end_, y + 4}, fitted(part.label, kTickSize, kMostLabel),
                 {.size = kTickSize, .anchor = Anchor::kEnd});
    for (std::size_t c = 0; c < num_columns_; ++c) {
      canvas_.text({column_ends_[c], y + 4}, fitted(value_of(part, c), kTickSize, widths_[c]),
                   {.size = kTickSize, .anchor = Anchor::kEnd});
    }
    canvas_.rect({.left = x_(std::min(0.0, part.amount)),
                  .top = y - kBar / 2,
                  .right = x_(std::max(0.0, part.amount)),
                  .bottom = y + kBar / 2},
                 colour_of(part));
    double end = part.amount;
    const double sign = part.amount < 0 ? -1 : 1;
    if (std::isfinite(part.error) && part.error > 0) {
      // Clipped to the plot: an error may be many times the part.
      const double low = std::max(x_(part.amount - part.error), plot_.left);
      const double high = std::min(x_(part.amount + part.error), plot_.right);
      canvas_.line({low, y}, {high, y}, {.width = 1.5});
      for (const double x : {low, high}) canvas_.line({x, y - 4}, {x, y + 4}, {.width = 1.5});
      end += sign * part.error;
    }
    canvas_.text({x_(end) + sign * 6, y + 4}, amounts_.with_sign(part.amount),
                 {.size = kTickSize, .anchor = sign < 0 ? Anchor::kEnd : Anchor::kStart});
  }

  const PartBars& chart_;
  const std::vector<Part> parts_;
  const Amounts amounts_;
  const std::size_t num_columns_;
  double label_end_ = 0;
  std::array<double, 2> widths_ = {0, 0};
  std::array<double, 2> column_ends_ = {0, 0};
  Box plot_;
  Scale x_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const PartBars& chart) { return PartBarsPlot(chart).draw(); }

}  // namespace glassrank
