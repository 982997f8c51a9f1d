#include "glassrank/report/explanation_plots/beeswarm.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kRow = 30;
constexpr double kRadius = 2.1;
constexpr double kCell = 3;                       // pixels that count as one place
constexpr double kRoom = kRow - 2 * kRadius - 3;  // for the middles of dots
constexpr std::size_t kMostDots = 16;             // of one place
constexpr double kMostStep = 4;
constexpr double kMostLabel = 230;

class SwarmPlot {
 public:
  explicit SwarmPlot(const Beeswarm& chart)
      : chart_(chart),
        table_(first_features(chart.table, chart.order, chart.most_features)),
        bar_(percentile_bar("value of the feature (grey: none)")) {
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    std::size_t most_together = 1;
    Canvas swarms;
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      most_together = std::max(most_together, draw_swarm(swarms, f));
    }
    draw_horizontal(canvas_, plot_, horizontal_axis(axis_label(most_together), x_), x_, true);
    canvas_.line({x_(0), plot_.top}, {x_(0), plot_.bottom}, {.colour = kFaintInk});
    if (table_.num_features() == 0 || table_.num_documents() == 0) draw_no_data(canvas_, plot_);
    canvas_.add(swarms.take());
    draw_colour_bar(canvas_, {plot_.right, plot_.top}, plot_.height(), bar_);
    return {.width = chart_.width,
            .height = plot_.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  void lay_out() {
    double label = 0;
    Span span{0, 0};
    for (const std::string& feature : table_.features) {
      label = std::max(label, text_width(feature, kTickSize));
    }
    for (const double amount : table_.attributions) {
      span.low = std::min(span.low, amount);
      span.high = std::max(span.high, amount);
    }
    plot_ = {.left = std::min(label, kMostLabel) + 24,
             .top = top_margin(chart_.title),
             .right = chart_.width - room_for(bar_),
             .bottom = 0};
    plot_.bottom = plot_.top + std::max(60.0, kRow * static_cast<double>(table_.num_features()));
    x_ = {.values = rounded(span, 8), .from = plot_.left + kCell, .to = plot_.right - kCell};
  }

  std::string axis_label(std::size_t most_together) const {
    if (most_together == 1) return chart_.x_label;
    return fmt::format("{}; a dot is up to {} documents", chart_.x_label, most_together);
  }

  // Returns the most documents that one dot stands for.
  std::size_t draw_swarm(Canvas& canvas, std::size_t f) {
    const double middle = plot_.top + kRow * (static_cast<double>(f) + 0.5);
    canvas_.text({plot_.left - 10, middle + 4}, fitted(table_.features[f], kTickSize, kMostLabel),
                 {.size = kTickSize, .anchor = Anchor::kEnd});
    const std::vector<double> places = percentiles(column_of(table_, table_.values, f));
    std::map<long, std::vector<double>> cells;  // places of the documents that meet
    for (std::size_t d = 0; d < table_.num_documents(); ++d) {
      cells[std::lround(x_(table_.attribution(d, f)) / kCell)].push_back(places[d]);
    }
    std::size_t largest = 0;
    for (const auto& [cell, met] : cells) largest = std::max(largest, met.size());
    const std::size_t together = std::max<std::size_t>((largest + kMostDots - 1) / kMostDots, 1);
    const std::size_t most_dots = (largest + together - 1) / together;
    const double step = std::min(kMostStep, kRoom / static_cast<double>(most_dots));
    for (auto& [cell, met] : cells) {
      // Missing values first, at the bottom.
      std::ranges::sort(met, {}, [](double place) { return std::isnan(place) ? -1 : place; });
      draw_stack(canvas, {static_cast<double>(cell) * kCell, middle}, met,
                 {.together = together, .step = step});
    }
    return together;
  }

  struct Stack {
    std::size_t together = 1;  // documents to a dot
    double step = 0;           // between dots
  };
  static void draw_stack(Canvas& canvas, Point middle, const std::vector<double>& met,
                         const Stack& stack) {
    const std::size_t num_dots = (met.size() + stack.together - 1) / stack.together;
    double y = middle.y + stack.step * static_cast<double>(num_dots - 1) / 2;
    for (std::size_t begin = 0; begin < met.size(); begin += stack.together, y -= stack.step) {
      const std::size_t end = std::min(begin + stack.together, met.size());
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += met[i];
      const double place = sum / static_cast<double>(end - begin);
      canvas.circle({middle.x, y}, kRadius,
                    std::isnan(place) ? std::string(kNoValueColour) : percentile_colour(place));
    }
  }

  const Beeswarm& chart_;
  const AttributionTable table_;
  const ColourBar bar_;
  Box plot_;
  Scale x_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const Beeswarm& chart) { return SwarmPlot(chart).draw(); }

}  // namespace glassrank
