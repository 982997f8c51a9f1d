#include "glassrank/report/study_plots/interaction_plot.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

// Beside all points; a single one gets a line from 0 on, for a line needs two ends.
LineSeries black_box_line(const InteractionStudy& study) {
  auto first = static_cast<double>(study.points.front().num_pairs);
  auto last = static_cast<double>(study.points.back().num_pairs);
  if (first == last) {
    first = 0;
    last = std::max(last, 1.0);
  }
  return {
      .name = "lambdamart", .x = {first, last}, .y = {study.black_box_test, study.black_box_test}};
}

}  // namespace

Picture study_picture(const InteractionStudy& study) {
  LineSeries glass{.name = "ilmart", .x = {}, .y = {}, .dots = true};
  for (const InteractionPoint& point : study.points) {
    glass.x.push_back(static_cast<double>(point.num_pairs));
    glass.y.push_back(point.test);
  }
  const LineChart chart{
      .title = fmt::format("{} on test data by the number of pairs of features", study.metric),
      .x_label = "pairs of features allowed",
      .y_label = study.metric,
      .series = {std::move(glass), black_box_line(study)}};
  return with_note(
      draw(chart),
      "a point is ILMART with at most so many pairs of features, the level line "
      "LambdaMART, which may use any. The gap between them is what being readable costs.");
}

}  // namespace glassrank
