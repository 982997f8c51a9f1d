#include "glassrank/report/study_plots/curve_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {

Picture study_picture(const CurveStudy& study) {
  LineChart chart{.title = fmt::format("{} by the number of trees", study.metric),
                  .x_label = "trees",
                  .y_label = study.metric,
                  .series = {}};
  for (const MetricCurve& curve : study.curves) {
    chart.series.push_back(
        {.name = curve.name, .x = {curve.trees.begin(), curve.trees.end()}, .y = curve.values});
  }
  return with_note(
      draw(chart),
      "a line is a model cut off after so many trees. Where the line of data it was not "
      "trained on is flat, more trees change nothing; where it falls, they harm.");
}

}  // namespace glassrank
