#include "glassrank/report/study_plots/hourglass_plot.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/heat_map.h"
#include "glassrank/report/plots/line_chart.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostCells = 200;  // a side
constexpr std::string_view kTooHigh = "ranked too high";
constexpr std::string_view kTooLow = "ranked too low";

// The most often wrong documents are below, so rows go from the end of the list to its start; of
// many documents some are drawn, evenly.
HeatMap map_of(const Hourglass& study) {
  const std::size_t num_documents = study.documents.size();
  HeatMap map{.title = fmt::format("{} documents are outliers after some tree, {} after every one",
                                   num_documents, study.num_always),
              .x_label = "trees",
              .y_label = "documents, the most often wrong below",
              .num_rows = std::min(kMostCells, num_documents),
              .num_columns = std::min(kMostCells, study.num_trees),
              .values = {},
              .row_span = {0, static_cast<double>(num_documents)},
              .column_span = {1, static_cast<double>(study.num_trees) + 1},
              .is_signed = true,
              .legend = {{std::string(kTooHigh), std::string(kRaises), {}, true},
                         {std::string(kTooLow), std::string(kLowers), {}, true}}};
  if (map.num_columns == 0) map.num_rows = 0;
  for (std::size_t r = 0; r < map.num_rows; ++r) {
    const std::size_t document = num_documents - 1 - num_documents * r / map.num_rows;
    const OutlierHistory& history = study.documents[document].history;
    for (std::size_t c = 0; c < map.num_columns; ++c) {
      const std::size_t from = study.num_trees * c / map.num_columns;
      const std::size_t to = study.num_trees * (c + 1) / map.num_columns;
      double found = 0;
      for (std::size_t t = from; t < to; ++t) found += history.after(t + 1) ? 1 : 0;
      map.values.push_back((history.is_negative ? found : -found) / static_cast<double>(to - from));
    }
  }
  return map;
}

LineSeries series_of(std::string_view name, std::string_view colour,
                     const std::vector<std::size_t>& counts) {
  LineSeries series{.name = std::string(name), .x = {}, .y = {}, .colour = colour};
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
                        .series = {series_of(kTooHigh, kRaises, study.num_negative),
                                   series_of(kTooLow, kLowers, study.num_positive)},
                        .from_zero = true,
                        .height = 300};
  const std::vector<Picture> pictures = {
      with_note(draw(map_of(study)),
                "a row is a document, coloured where it is an outlier after so many trees: orange, "
                "ranked "
                "too high for its grade (negative); blue, ranked too low (positive). Rows that are "
                "coloured all along are those that a cleaner drops."),
      with_note(draw(curve),
                "too high: documents of the lowest grade among the first although a better one is "
                "below (negative outliers, O-); too low: better ones below the first although one "
                "of the lowest grade is above (positive outliers, O+).")};
  return stacked(pictures);
}

}  // namespace glassrank
