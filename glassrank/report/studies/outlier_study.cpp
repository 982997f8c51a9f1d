#include "glassrank/report/studies/outlier_study.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

std::vector<LineSeries> series_of(const std::vector<WindowCount>& counts,
                                  std::size_t WindowCount::* place) {
  std::vector<LineSeries> series = {{.name = "negative", .x = {}, .y = {}, .dots = true},
                                    {.name = "positive", .x = {}, .y = {}, .dots = true},
                                    {.name = "all", .x = {}, .y = {}, .dots = true}};
  for (const WindowCount& count : counts) {
    for (LineSeries& line : series) line.x.push_back(static_cast<double>(count.*place));
    series[0].y.push_back(static_cast<double>(count.negative));
    series[1].y.push_back(static_cast<double>(count.positive));
    series[2].y.push_back(static_cast<double>(count.all()));
  }
  return series;
}

void add_row(StudyResult& result, const WindowCount& count, std::size_t num_rows) {
  const std::vector<std::string> cells = {
      fmt::format("{}", count.start), fmt::format("{}", count.end),
      fmt::format("{}", count.negative), fmt::format("{}", count.positive),
      fmt::format("{}", count.all())};
  const double share =
      static_cast<double>(count.all()) / static_cast<double>(std::max<std::size_t>(num_rows, 1));
  result.data.rows.push_back(cells);
  result.data.rows.back().push_back(number_cell(share));
  result.shown.rows.push_back(cells);
  result.shown.rows.back().push_back(fmt::format("{:.2f} %", 100 * share));
}

}  // namespace

StudyResult outlier_count_study(const OutlierTrace& trace, std::size_t num_rows,
                                std::size_t steps) {
  const std::size_t last = trace.num_rounds;
  std::vector<WindowCount> by_start;
  std::vector<WindowCount> by_end;
  for (const std::size_t round : even_rounds(last, steps)) {
    by_start.push_back(count_consistent(trace, round, last));
    by_end.push_back(count_consistent(trace, 1, round));
  }
  StudyResult result{
      .data = {.header = {"start", "end", "neg", "pos", "all", "share"}, .rows = {}},
      .shown = {.header = {"start", "end", "neg", "pos", "all", "of all documents"}, .rows = {}}};
  std::vector<WindowCount> counts = by_start;
  if (!by_end.empty()) counts.insert(counts.end(), by_end.begin(), by_end.end() - 1);  // [1, last]
  for (const WindowCount& count : counts) add_row(result, count, num_rows);
  const std::vector<Picture> pictures = {
      draw(LineChart{
          .title = fmt::format("Outliers at every tree from the start on, up to tree {}", last),
          .x_label = "first tree of the window",
          .y_label = "documents",
          .series = series_of(by_start, &WindowCount::start),
          .from_zero = true,
          .height = 340}),
      draw(LineChart{.title = "Outliers at every tree from the first on, up to the end",
                     .x_label = "last tree of the window",
                     .y_label = "documents",
                     .series = series_of(by_end, &WindowCount::end),
                     .from_zero = true,
                     .height = 340})};
  result.picture = stacked(pictures);
  return result;
}

}  // namespace glassrank
