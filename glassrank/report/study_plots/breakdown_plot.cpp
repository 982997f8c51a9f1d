#include "glassrank/report/study_plots/breakdown_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {

Picture study_picture(const Breakdown& study) {
  LineChart chart{.title = fmt::format("Gain in {} over {}", study.metric, study.models.front()),
                  .x_label = fmt::format("first tree of the window (last: {})", study.end),
                  .y_label = fmt::format("difference of {}", study.metric),
                  .series = {}};
  for (std::size_t m = 1; m < study.models.size(); ++m) {
    for (const bool with : {true, false}) {
      LineSeries series{.name = fmt::format("{} on {}", study.models[m], with ? "Q_o" : "Q_c"),
                        .x = {},
                        .y = {},
                        .dots = true};
      for (const WindowQuality& window : study.windows) {
        const GroupQuality& quality = with ? window.with_outliers : window.without;
        series.x.push_back(static_cast<double>(window.start));
        series.y.push_back(quality.means[m] - quality.means[0]);
      }
      chart.series.push_back(std::move(series));
    }
  }
  chart.from_zero = true;
  return draw(chart);
}

}  // namespace glassrank
