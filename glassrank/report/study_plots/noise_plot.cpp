#include "glassrank/report/study_plots/noise_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

LineSeries& series_named(LineChart& chart, const std::string& name) {
  const auto found = std::ranges::find(chart.series, name, &LineSeries::name);
  if (found != chart.series.end()) return *found;
  chart.series.push_back({.name = name, .x = {}, .y = {}, .dots = true});
  return chart.series.back();
}

// Quality against the rate of noise, one line a system; the band is one standard deviation over
// seeds.
Picture quality_chart(const NoiseStudy& study) {
  LineChart chart{
      .title = fmt::format("{} on clean test data after training with wrong grades", study.metric),
      .x_label = "share of grades flipped, %",
      .y_label = study.metric,
      .series = {}};
  for (const NoiseSummary& summary : study.summaries) {
    LineSeries& series = series_named(chart, summary.system);
    series.x.push_back(100 * summary.rate);
    series.y.push_back(summary.mean);
    series.low.push_back(summary.mean - summary.deviation);
    series.high.push_back(summary.mean + summary.deviation);
  }
  return draw(chart);
}

Picture found_chart(const NoiseStudy& study) {
  BarChart chart{.title = "What cleaning drops, and how much of it had been flipped",
                 .x_label = "share of documents, %",
                 .series = {"precision", "recall", "chance"},
                 .groups = {}};
  for (const NoiseSummary& summary : study.summaries) {
    if (summary.system == "plain") continue;
    BarGroup group{.label = fmt::format("{}, {:g} % flipped", summary.system, 100 * summary.rate),
                   .bars = {}};
    for (const double share : {summary.precision, summary.recall, summary.chance}) {
      group.bars.push_back(
          {.value = 100 * share,
           .text = std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share)});
    }
    chart.groups.push_back(std::move(group));
  }
  return draw(chart);
}

}  // namespace

Picture study_picture(const NoiseStudy& study) {
  const std::vector<Picture> pictures = {
      with_note(
          quality_chart(study),
          "a line is a way of training, its band one standard deviation over seeds. A line that "
          "falls less is harmed less by wrong grades."),
      with_note(found_chart(study),
                "precision: of the documents dropped, the share that had been flipped; recall: of "
                "those flipped, the share that was dropped; chance: the precision of dropping "
                "blindly.")};
  return stacked(pictures);
}

}  // namespace glassrank
