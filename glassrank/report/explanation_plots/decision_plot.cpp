#include "glassrank/report/explanation_plots/decision_plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kRow = 26;
constexpr double kMostLabel = 230;
constexpr std::size_t kMostNamed = 7;

class DecisionPicture {
 public:
  explicit DecisionPicture(const DecisionPlot& chart)
      : chart_(chart), table_(first_features(chart.table, chart.order, chart.most_features)) {
    if (is_named()) {
      for (std::size_t d = 0; d < table_.num_documents(); ++d) {
        legend_.push_back({.name = table_.documents[d], .colour = std::string(series_colour(d))});
      }
    }
    for (std::size_t d = 0; d < table_.num_documents(); ++d) paths_.push_back(path_of(d));
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    draw_horizontal(canvas_, plot_, horizontal_axis("score", x_), x_, true);
    draw_features();
    canvas_.line({x_(table_.base_value), plot_.top}, {x_(table_.base_value), plot_.bottom},
                 {.colour = kFaintInk, .dash = "3 2"});
    if (paths_.empty()) draw_no_data(canvas_, plot_);
    draw_lines();
    if (is_named()) {
      draw_legend(canvas_, {plot_.right + 16, plot_.top}, legend_);
    } else {
      draw_colour_bar(canvas_, {plot_.right, plot_.top}, plot_.height(), percentile_bar("score"));
    }
    return {.width = chart_.width,
            .height = plot_.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  bool is_named() const { return table_.num_documents() <= kMostNamed; }

  // Scores from the bottom to the top: the last feature moves first.
  std::vector<double> path_of(std::size_t d) const {
    std::vector<double> path = {table_.base_value};
    for (std::size_t f = table_.num_features(); f-- > 0;) {
      path.push_back(path.back() + table_.attribution(d, f));
    }
    return path;
  }

  void lay_out() {
    double label = 0;
    for (const std::string& feature : table_.features) {
      label = std::max(label, text_width(feature, kTickSize));
    }
    Span span{table_.base_value, table_.base_value};
    for (const std::vector<double>& path : paths_) {
      for (const double value : path) {
        span.low = std::min(span.low, value);
        span.high = std::max(span.high, value);
      }
    }
    const double room = is_named() ? legend_width(legend_) + 16 : room_for(percentile_bar("score"));
    plot_ = {.left = std::min(label, kMostLabel) + 24,
             .top = top_margin(chart_.title),
             .right = chart_.width - std::max(room, 16.0),
             .bottom = 0};
    const double rows = kRow * static_cast<double>(table_.num_features());
    plot_.bottom = plot_.top + std::max({rows, 60.0, legend_height(legend_)});
    x_ = {.values = rounded(span, 8), .from = plot_.left, .to = plot_.right};
    y_ = {.values = {0, static_cast<double>(std::max<std::size_t>(table_.num_features(), 1))},
          .from = plot_.bottom,
          .to = plot_.top};
  }

  // A feature acts between two heights; its name stands in the middle of them.
  void draw_features() {
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      const double height = static_cast<double>(table_.num_features() - f);
      canvas_.line({plot_.left, y_(height)}, {plot_.right, y_(height)}, {.colour = kGrid});
      canvas_.text({plot_.left - 10, y_(height - 0.5) + 4},
                   fitted(table_.features[f], kTickSize, kMostLabel),
                   {.size = kTickSize, .anchor = Anchor::kEnd});
    }
  }

  void draw_lines() {
    const std::vector<double> places = percentiles(table_.scores);
    // The first ranks over the others.
    for (std::size_t d = paths_.size(); d-- > 0;) {
      std::vector<Point> points;
      for (std::size_t i = 0; i < paths_[d].size(); ++i) {
        points.push_back({x_(paths_[d][i]), y_(static_cast<double>(i))});
      }
      const std::string colour =
          is_named() ? std::string(series_colour(d)) : percentile_colour(places[d]);
      canvas_.polyline(points, {.colour = colour, .width = is_named() ? 2 : 1.2});
    }
  }

  const DecisionPlot& chart_;
  const AttributionTable table_;
  std::vector<std::vector<double>> paths_;
  std::vector<LegendEntry> legend_;
  Box plot_;
  Scale x_;
  Scale y_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const DecisionPlot& chart) { return DecisionPicture(chart).draw(); }

}  // namespace glassrank
