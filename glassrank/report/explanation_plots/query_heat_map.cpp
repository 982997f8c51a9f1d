#include "glassrank/report/explanation_plots/query_heat_map.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/explanation_plots/colour_bar.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kRow = 22;
constexpr double kScoreHeight = 70;
constexpr double kGradeHeight = 14;
constexpr double kGap = 8;
constexpr double kMostLabel = 230;

class QueryPlot {
 public:
  explicit QueryPlot(const QueryHeatMap& chart)
      : chart_(chart), table_(first_features(chart.table, chart.order, chart.most_features)) {
    for (const double amount : table_.attributions) {
      largest_ = std::max(largest_, std::abs(amount));
    }
    if (!(largest_ > 0)) largest_ = 1;
    lay_out();
  }

  Picture draw() {
    draw_title(canvas_, chart_.title, chart_.width);
    if (table_.num_documents() == 0 || table_.num_features() == 0) {
      draw_no_data(canvas_, plot_);
    } else {
      draw_scores();
      draw_grades();
      draw_cells();
    }
    draw_horizontal(canvas_, plot_, horizontal_axis("documents by rank", x_), x_, false);
    draw_colour_bar(canvas_, {plot_.right, plot_.top}, plot_.height(), bar_);
    return {.width = chart_.width,
            .height = plot_.bottom + kBottomMargin,
            .title = chart_.title,
            .body = canvas_.take()};
  }

 private:
  bool has_grades() const { return !table_.grades.empty(); }

  void lay_out() {
    double label = text_width("score", kTickSize);
    for (const std::string& feature : table_.features) {
      label = std::max(label, text_width(feature, kTickSize));
    }
    plot_ = {.left = std::min(label, kMostLabel) + 24,
             .top = top_margin(chart_.title) + kScoreHeight + kGap +
                    (has_grades() ? kGradeHeight + kGap : 0),
             .right = chart_.width,
             .bottom = 0};
    plot_.bottom = plot_.top + std::max(90.0, kRow * static_cast<double>(table_.num_features()));
    bar_ = signed_bar("added to the score", largest_, plot_.height());
    plot_.right -= room_for(bar_);
    const auto num_documents =
        static_cast<double>(std::max<std::size_t>(table_.num_documents(), 1));
    x_ = {
        .values = {0.5, num_documents + 0.5}, .from = plot_.left, .to = plot_.right, .whole = true};
  }

  double cell_left(std::size_t d) const { return x_(static_cast<double>(d) + 0.5); }

  void draw_name(double y, const std::string& name) {
    canvas_.text({plot_.left - 10, y + 4}, fitted(name, kTickSize, kMostLabel),
                 {.size = kTickSize, .anchor = Anchor::kEnd});
  }

  // Steps, with the lowest and highest score written at the ends.
  void draw_scores() {
    const double top = top_margin(chart_.title);
    Span span{table_.scores.front(), table_.scores.front()};
    for (const double score : table_.scores) {
      span.low = std::min(span.low, score);
      span.high = std::max(span.high, score);
    }
    const Scale y{.values = usable(span), .from = top + kScoreHeight - 4, .to = top + 8};
    std::vector<Point> line;
    for (std::size_t d = 0; d < table_.num_documents(); ++d) {
      line.push_back({cell_left(d), y(table_.scores[d])});
      line.push_back({cell_left(d + 1), y(table_.scores[d])});
    }
    draw_name(top + kScoreHeight / 2, "score");
    const double base = y(table_.base_value);
    if (base > top && base < top + kScoreHeight) {
      canvas_.line({plot_.left, base}, {plot_.right, base}, {.colour = kFaintInk, .dash = "3 2"});
    }
    canvas_.polyline(line, {.colour = kInk, .width = 1.6});
    for (const double score : {span.low, span.high}) {
      canvas_.text({plot_.right + 6, y(score) + 4}, fmt::format("{:.3g}", score),
                   {.size = kTickSize, .colour = kFaintInk});
      if (span.low == span.high) break;
    }
  }

  void draw_grades() {
    if (!has_grades()) return;
    std::vector<double> levels = table_.grades;
    std::ranges::sort(levels);
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    const double top = plot_.top - kGap - kGradeHeight;
    draw_name(top + kGradeHeight / 2, "grade");
    for (std::size_t d = 0; d < table_.num_documents(); ++d) {
      const auto level = static_cast<std::size_t>(
          std::ranges::lower_bound(levels, table_.grades[d]) - levels.begin());
      // A single level is no lowest one: it is drawn as what it is.
      const std::string colour = grade_colour(levels.size() == 1 && levels[0] > 0 ? 1 : level,
                                              std::max<std::size_t>(levels.size(), 2));
      canvas_.rect({cell_left(d), top, cell_left(d + 1), top + kGradeHeight}, colour);
      const std::string text = fmt::format("{:g}", table_.grades[d] + 0.0);
      if (text_width(text, 11) + 4 > cell_left(d + 1) - cell_left(d)) continue;
      canvas_.text({(cell_left(d) + cell_left(d + 1)) / 2, top + 11}, text,
                   {.size = 11,
                    .anchor = Anchor::kMiddle,
                    .colour = level * 2 > levels.size() ? std::string_view("#ffffff") : kInk});
    }
  }

  void draw_cells() {
    canvas_.add("<g shape-rendering=\"crispEdges\">\n");
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      const double top = plot_.top + kRow * static_cast<double>(f);
      for (std::size_t d = 0; d < table_.num_documents(); ++d) {
        canvas_.rect({cell_left(d), top, cell_left(d + 1), top + kRow},
                     signed_colour(table_.attribution(d, f) / largest_));
      }
    }
    canvas_.add("</g>\n");
    for (std::size_t f = 0; f < table_.num_features(); ++f) {
      draw_name(plot_.top + kRow * (static_cast<double>(f) + 0.5), table_.features[f]);
    }
  }

  const QueryHeatMap& chart_;
  const AttributionTable table_;
  double largest_ = 0;
  ColourBar bar_;
  Box plot_;
  Scale x_;
  Canvas canvas_;
};

}  // namespace

Picture draw(const QueryHeatMap& chart) { return QueryPlot(chart).draw(); }

}  // namespace glassrank
