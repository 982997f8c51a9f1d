#include "glassrank/report/studies/breakdown_study.h"

#include <cmath>

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

std::string value_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

void add_row(StudyResult& result, const std::string& start, const GroupQuality& quality) {
  std::vector<std::string> data = {start, quality.group, fmt::format("{}", quality.num_queries)};
  std::vector<std::string> shown = data;
  for (std::size_t m = 0; m < quality.means.size(); ++m) {
    data.push_back(number_cell(quality.means[m]));
    shown.push_back(value_text(quality.means[m]));
    if (m == 0) continue;
    data.push_back(number_cell(quality.p[m].greater));
    data.push_back(number_cell(quality.p[m].two_sided));
    shown.push_back(quality.num_queries == 0 ? "-" : fmt::format("{:.4f}", quality.p[m].two_sided));
  }
  result.data.rows.push_back(std::move(data));
  result.shown.rows.push_back(std::move(shown));
}

// How much better than the first model, on both kinds of queries.
Picture chart_of(const Breakdown& breakdown) {
  LineChart chart{
      .title = fmt::format("Gain in {} over {}", breakdown.metric, breakdown.models.front()),
      .x_label = fmt::format("first tree of the window (last: {})", breakdown.end),
      .y_label = fmt::format("difference of {}", breakdown.metric),
      .series = {}};
  for (std::size_t m = 1; m < breakdown.models.size(); ++m) {
    for (const bool with : {true, false}) {
      LineSeries series{.name = fmt::format("{} on {}", breakdown.models[m], with ? "Q_o" : "Q_c"),
                        .x = {},
                        .y = {},
                        .dots = true};
      for (const WindowQuality& window : breakdown.windows) {
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

}  // namespace

StudyResult breakdown_study(const Breakdown& breakdown) {
  StudyResult result{.data = {.header = {"start", "group", "queries"}, .rows = {}},
                     .name_columns = {1},
                     .shown = {.header = {"start", "queries", "number"}, .rows = {}}};
  for (std::size_t m = 0; m < breakdown.models.size(); ++m) {
    result.data.header.push_back(breakdown.models[m]);
    result.shown.header.push_back(breakdown.models[m]);
    if (m == 0) continue;
    result.data.header.push_back(fmt::format("{} p greater", breakdown.models[m]));
    result.data.header.push_back(fmt::format("{} p two-sided", breakdown.models[m]));
    result.shown.header.push_back("p");
  }
  add_row(result, "", breakdown.all);
  for (const WindowQuality& window : breakdown.windows) {
    add_row(result, fmt::format("{}", window.start), window.with_outliers);
    add_row(result, fmt::format("{}", window.start), window.without);
  }
  result.notes = {fmt::format(
      "{} in the mean; Q_o: queries with an outlier at every tree from the start to {}, Q_c: the "
      "others; p: Fisher's test against {}, two-sided",
      breakdown.metric, breakdown.end, breakdown.models.front())};
  result.picture = chart_of(breakdown);
  return result;
}

}  // namespace glassrank
