#include "glassrank/report/study_plots/outlier_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/line_chart.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr std::string_view kKinds =
    "too high: documents of the lowest grade that stay among the first although a better one is "
    "below (negative outliers, O-); too low: better ones that stay below the first (positive "
    "outliers, O+). What is left of a long window is not learnt, or judged wrongly.";

std::vector<LineSeries> series_of(const std::vector<WindowOutliers>& windows,
                                  std::size_t WindowCount::* place) {
  std::vector<LineSeries> series = {
      {.name = "ranked too high", .x = {}, .y = {}, .dots = true, .colour = kRaises},
      {.name = "ranked too low", .x = {}, .y = {}, .dots = true, .colour = kLowers},
      {.name = "all", .x = {}, .y = {}, .dots = true, .colour = kInk}};
  for (const WindowOutliers& window : windows) {
    const WindowCount& count = window.count;
    for (LineSeries& line : series) line.x.push_back(static_cast<double>(count.*place));
    series[0].y.push_back(static_cast<double>(count.negative));
    series[1].y.push_back(static_cast<double>(count.positive));
    series[2].y.push_back(static_cast<double>(count.all()));
  }
  return series;
}

}  // namespace

Picture study_picture(const OutlierStudy& study) {
  const std::vector<Picture> pictures = {
      with_note(draw(LineChart{
                    .title = fmt::format("Outliers at every tree from the start on, up to tree {}",
                                         study.num_trees),
                    .x_label = "first tree of the window",
                    .y_label = "documents",
                    .series = series_of(study.by_start, &WindowCount::start),
                    .from_zero = true,
                    .height = 340}),
                kKinds),
      with_note(draw(LineChart{.title = "Outliers at every tree from the first on, up to the end",
                               .x_label = "last tree of the window",
                               .y_label = "documents",
                               .series = series_of(study.by_end, &WindowCount::end),
                               .from_zero = true,
                               .height = 340}),
                kKinds)};
  return stacked(pictures);
}

}  // namespace glassrank
