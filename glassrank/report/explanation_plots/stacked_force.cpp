#include "glassrank/report/explanation_plots/stacked_force.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostColours = 6;  // the seventh is dark, for dots

class StackedPlot {
 public:
  explicit StackedPlot(const StackedForce& chart)
      : chart_(chart),
        num_coloured_(std::clamp<std::size_t>(chart.most_features, 1, kMostColours)),
        table_(first_features(chart.table, chart.order, num_coloured_)) {
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      legend_.push_back({.name = table_.features[f], .colour = colour(f), .is_area = true});
    }
    legend_.push_back({.name = "no feature known", .colour = std::string(kInk)});
    legend_.push_back({.name = "score", .colour = "none"});  // a dot, drawn over it
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    draw_vertical(canvas_, plot_, vertical_axis("score", y_), y_, true);
    draw_horizontal(canvas_, plot_, horizontal_axis("documents by rank", x_), x_, false);
    if (table_.num_documents() == 0) draw_no_data(canvas_, plot_);
    for (std::size_t d = 0; d < table_.num_documents(); ++d) draw_document(d);
    canvas_.line({plot_.left, y_(table_.base_value)}, {plot_.right, y_(table_.base_value)},
                 {.colour = kInk});
    draw_legend(canvas_, {plot_.right + 16, plot_.top}, legend_);
    const double row = legend_height(legend_) / static_cast<double>(legend_.size());
    canvas_.circle({plot_.right + 27, plot_.top + legend_height(legend_) - row / 2}, 2.8, kInk);
    return {.width = chart_.width,
            .height = chart_.height,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  // The sum of others, if there is one, comes last.
  std::string colour(std::size_t f) const {
    return std::string(f < num_coloured_ ? series_colour(f) : kNoValueColour);
  }

  void lay_out() {
    Span span{table_.base_value, table_.base_value};
    for (std::size_t d = 0; d < table_.num_documents(); ++d) {
      double above = table_.base_value;
      double below = table_.base_value;
      for (std::size_t f = 0; f < table_.num_features(); ++f) {
        (table_.attribution(d, f) > 0 ? above : below) += table_.attribution(d, f);
      }
      span.low = std::min({span.low, below, table_.scores[d]});
      span.high = std::max({span.high, above, table_.scores[d]});
    }
    plot_ = {.left = 0,
             .top = top_margin(chart_.title),
             .right = chart_.width - legend_width(legend_) - 16,
             .bottom = chart_.height - kBottomMargin};
    y_ = {.values = rounded(span, most_vertical(plot_.height())),
          .from = plot_.bottom,
          .to = plot_.top};
    plot_.left = left_margin(vertical_axis("score", y_));
    x_ = {.values = {0.5,
                     static_cast<double>(std::max<std::size_t>(table_.num_documents(), 1)) + 0.5},
          .from = plot_.left,
          .to = plot_.right,
          .whole = true};
  }

  void draw_document(std::size_t d) {
    const double centre = x_(static_cast<double>(d + 1));
    const double step = plot_.width() / static_cast<double>(table_.num_documents());
    const double half = std::max(0.4, std::min(step * 0.42, 24.0));
    double above = table_.base_value;
    double below = table_.base_value;
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      const double amount = table_.attribution(d, f);
      double& at = amount > 0 ? above : below;
      const double from = y_(at);
      at += amount;
      const double to = y_(at);
      if (std::abs(to - from) < 0.1) continue;
      canvas_.rect({centre - half, std::min(from, to), centre + half, std::max(from, to)},
                   colour(f));
    }
    const double y = y_(table_.scores[d]);
    canvas_.circle({centre, y}, 4, "#ffffff");
    canvas_.circle({centre, y}, 2.8, kInk);
  }

  const StackedForce& chart_;
  const std::size_t num_coloured_;
  const AttributionTable table_;
  std::vector<LegendEntry> legend_;
  Box plot_;
  Scale x_;
  Scale y_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const StackedForce& chart) { return StackedPlot(chart).draw(); }

}  // namespace glassrank
