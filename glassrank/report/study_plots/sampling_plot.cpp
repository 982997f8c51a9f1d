#include "glassrank/report/study_plots/sampling_plot.h"

#include <cmath>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {

Picture study_picture(const SamplingStudy& study) {
  BarChart times{.title = "Training time of a tree, by how rows are sampled",
                 .x_label = "milliseconds",
                 .series = {"t"},
                 .groups = {}};
  LineChart curves{.title = fmt::format("{} on the validation data", study.metric),
                   .x_label = "trees",
                   .y_label = study.metric,
                   .series = {}};
  for (const SampledTraining& each : study.systems) {
    const std::string share =
        std::isnan(each.share) ? "-" : fmt::format("{:.1f} %", 100 * each.share);
    times.groups.push_back(
        {.label = fmt::format("{}, {} of the rows", each.system, share),
         .bars = {{.value = 1000 * each.seconds_per_tree,
                   .text = fmt::format("{:.2f}", 1000 * each.seconds_per_tree)}}});
    LineSeries series{.name = each.system, .x = {}, .y = each.curve};
    for (std::size_t t = 1; t <= each.curve.size(); ++t) {
      series.x.push_back(static_cast<double>(t));
    }
    curves.series.push_back(std::move(series));
  }
  const std::vector<Picture> pictures = {
      with_note(draw(times),
                "a bar is the mean time of training one tree on the rows that the sampler chose."),
      with_note(draw(curves),
                "a line is the quality after so many trees: lines that end as high cost nothing in "
                "quality for the time they save.")};
  return stacked(pictures);
}

}  // namespace glassrank
