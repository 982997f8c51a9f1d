#include "glassrank/report/study_plots/hourglass_plot.h"

#include <algorithm>
#include <vector>

#include "glassrank/report/plots/heat_map.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostCells = 200;  // a side

// The most often wrong documents are below, so rows go from the end of the list to its start.
HeatMap map_of(const Hourglass& study) {
  const std::size_t num_documents = study.documents.size();
  HeatMap map{.title = "Which documents are outliers after how many trees",
              .x_label = "trees",
              .y_label = "documents, the most often wrong below",
              .value_label = "share that are outliers",
              .num_rows = std::min(kMostCells, num_documents),
              .num_columns = std::min(kMostCells, study.num_trees),
              .values = {},
              .row_span = {0, static_cast<double>(num_documents)},
              .column_span = {1, static_cast<double>(study.num_trees) + 1},
              .from_zero = true};
  if (map.num_columns == 0) map.num_rows = 0;
  for (std::size_t r = 0; r < map.num_rows; ++r) {
    const std::size_t first = num_documents * r / map.num_rows;
    const std::size_t last = num_documents * (r + 1) / map.num_rows;
    for (std::size_t c = 0; c < map.num_columns; ++c) {
      const std::size_t from = study.num_trees * c / map.num_columns;
      const std::size_t to = study.num_trees * (c + 1) / map.num_columns;
      std::size_t found = 0;
      for (std::size_t d = first; d < last; ++d) {
        const OutlierHistory& history = study.documents[num_documents - 1 - d].history;
        for (std::size_t t = from; t < to; ++t) found += history.after(t + 1) ? 1 : 0;
      }
      map.values.push_back(static_cast<double>(found) /
                           static_cast<double>((last - first) * (to - from)));
    }
  }
  return map;
}

LineSeries series_of(const char* name, const std::vector<std::size_t>& counts) {
  LineSeries series{.name = name, .x = {}, .y = {}};
  for (std::size_t t = 0; t < counts.size(); ++t) {
    series.x.push_back(static_cast<double>(t + 1));
    series.y.push_back(static_cast<double>(counts[t]));
  }
  return series;
}

}  // namespace

Picture study_picture(const Hourglass& study) {
  const LineChart curve{.title = "Outliers after each number of trees",
                        .x_label = "trees",
                        .y_label = "documents",
                        .series = {series_of("negative", study.num_negative),
                                   series_of("positive", study.num_positive)},
                        .from_zero = true,
                        .height = 300};
  const std::vector<Picture> pictures = {
      with_note(
          draw(map_of(study)),
          "a row is a document, or the mean of several, bright where it is an outlier after so "
          "many trees. Rows that are bright all along are those that a cleaner drops."),
      with_note(draw(curve),
                "negative: documents of the lowest grade among the first although a better one is "
                "below; positive: better ones below the first although one of the lowest grade is "
                "above.")};
  return stacked(pictures);
}

}  // namespace glassrank
