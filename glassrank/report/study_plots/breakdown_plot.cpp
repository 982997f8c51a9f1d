#include "glassrank/report/study_plots/breakdown_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {

Picture study_picture(const Breakdown& study) {
  LineChart chart{.title = fmt::format("Gain in {} over {}", study.metric, study.models.front()),
                  .x_label = fmt::format("first tree of the window (last: {})", study.end),
                  .y_label = fmt::format("difference of {}", study.metric),
                  .series = {}};
  for (std::size_t m = 1; m < study.models.size(); ++m) {
    for (const bool with : {true, false}) {
      LineSeries series{.name = fmt::format("{} on queries {}", study.models[m],
                                            with ? "with outliers (Q_o)" : "without (Q_c)"),
                        .x = {},
                        .y = {},
                        .dots = true,
                        .colour = series_colour(m - 1),
                        .dash = line_dash(with ? 0 : 1)};
      for (const WindowQuality& window : study.windows) {
        const GroupQuality& quality = with ? window.with_outliers : window.without;
        series.x.push_back(static_cast<double>(window.start));
        series.y.push_back(quality.means[m] - quality.means[0]);
      }
      chart.series.push_back(std::move(series));
    }
  }
  chart.from_zero = true;
  return with_note(
      draw(chart),
      fmt::format(
          "a point counts as outliers the documents that are one after every tree from that "
          "one to the last. Q_o: queries that have such documents; Q_c: the others. Above 0 the "
          "model is better than {} on these queries; what it "
          "gains on queries with outliers alone may be owed to their grades.",
          study.models.front()));
}

}  // namespace glassrank
