#include "glassrank/report/studies/hourglass_study.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/heat_map.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostCells = 200;  // a side
constexpr std::size_t kShownRounds = 11;

using Histories = std::vector<const OutlierHistory*>;

// Most often an outlier last; of equally often, by row.
Histories sorted_of(const OutlierTrace& trace, DocumentType type) {
  Histories histories;
  for (const OutlierHistory& document : trace.documents) {
    if (type == DocumentType::kAll || (type == DocumentType::kNeg) == document.is_negative) {
      histories.push_back(&document);
    }
  }
  std::ranges::stable_sort(histories, {}, &OutlierHistory::num_rounds);
  return histories;
}

// "1-3,7": the numbers of trees after which it is an outlier.
std::string rounds_text(const OutlierHistory& history, std::size_t num_rounds) {
  std::string text;
  for (std::size_t t = 1; t <= num_rounds;) {
    if (!history.after(t)) {
      ++t;
      continue;
    }
    std::size_t end = t;
    while (end < num_rounds && history.after(end + 1)) ++end;
    text += text.empty() ? "" : ",";
    text += end == t ? fmt::format("{}", t) : fmt::format("{}-{}", t, end);
    t = end + 1;
  }
  return text;
}

ReportTable data_table(const Histories& histories, const OutlierTrace& trace, const Dataset& data) {
  ReportTable table{.header = {"query", "document", "grade", "type", "trees", "share", "last_right",
                               "outlier_after"},
                    .rows = {}};
  const std::vector<std::uint32_t> query_of = data.queries().query_of_rows();
  for (auto it = histories.rbegin(); it != histories.rend(); ++it) {
    const OutlierHistory& history = **it;
    table.rows.push_back(
        {data.queries().id(query_of[history.row]), data.document_name(history.row),
         fmt::format("{}", data.grades()[history.row]), history.is_negative ? "neg" : "pos",
         fmt::format("{}", history.num_rounds),
         number_cell(static_cast<double>(history.num_rounds) /
                     static_cast<double>(trace.num_rounds)),
         fmt::format("{}", history.last_right), rounds_text(history, trace.num_rounds)});
  }
  return table;
}

HeatMap map_of(const Histories& histories, std::size_t num_rounds) {
  HeatMap map{.title = "Which documents are outliers after how many trees",
              .x_label = "trees",
              .y_label = "documents, the most often wrong below",
              .value_label = "share that are outliers",
              .num_rows = std::min(kMostCells, histories.size()),
              .num_columns = std::min(kMostCells, num_rounds),
              .values = {},
              .row_span = {0, static_cast<double>(histories.size())},
              .column_span = {1, static_cast<double>(num_rounds) + 1},
              .from_zero = true};
  if (map.num_columns == 0) map.num_rows = 0;
  for (std::size_t r = 0; r < map.num_rows; ++r) {
    const std::size_t first = histories.size() * r / map.num_rows;
    const std::size_t last = histories.size() * (r + 1) / map.num_rows;
    for (std::size_t c = 0; c < map.num_columns; ++c) {
      const std::size_t from = num_rounds * c / map.num_columns;
      const std::size_t to = num_rounds * (c + 1) / map.num_columns;
      std::size_t found = 0;
      for (std::size_t d = first; d < last; ++d) {
        for (std::size_t t = from; t < to; ++t) found += histories[d]->after(t + 1) ? 1 : 0;
      }
      map.values.push_back(static_cast<double>(found) /
                           static_cast<double>((last - first) * (to - from)));
    }
  }
  return map;
}

// Documents that are outliers after every number of trees.
LineChart curve_of(const Histories& histories, std::size_t num_rounds) {
  LineChart chart{
      .title = "How many are outliers at once",
      .x_label = "trees",
      .y_label = "documents",
      .series = {{.name = "negative", .x = {}, .y = {}}, {.name = "positive", .x = {}, .y = {}}},
      .from_zero = true,
      .height = 300};
  for (std::size_t t = 1; t <= num_rounds; ++t) {
    double counts[2] = {0, 0};
    for (const OutlierHistory* history : histories) {
      if (history->after(t)) ++counts[history->is_negative ? 0 : 1];
    }
    for (std::size_t s = 0; s < 2; ++s) {
      chart.series[s].x.push_back(static_cast<double>(t));
      chart.series[s].y.push_back(counts[s]);
    }
  }
  return chart;
}

}  // namespace

StudyResult hourglass_study(const OutlierTrace& trace, const Dataset& data, DocumentType type) {
  const Histories histories = sorted_of(trace, type);
  const LineChart curve = curve_of(histories, trace.num_rounds);
  StudyResult result{.data = data_table(histories, trace, data),
                     .name_columns = {0, 1, 3, 7},
                     .shown = {.header = {"trees", "neg", "pos", "all"}, .rows = {}}};
  for (const std::size_t trees : even_rounds(trace.num_rounds, kShownRounds)) {
    const double negative = curve.series[0].y[trees - 1];
    const double positive = curve.series[1].y[trees - 1];
    result.shown.rows.push_back({fmt::format("{}", trees), fmt::format("{}", negative),
                                 fmt::format("{}", positive),
                                 fmt::format("{}", negative + positive)});
  }
  const auto always = std::ranges::count_if(
      histories, [&](const OutlierHistory* h) { return h->num_rounds == trace.num_rounds; });
  result.notes = {fmt::format("{} of {} documents are outliers after some tree, {} after every one",
                              histories.size(), data.num_rows(), always)};
  result.facts = {{"ever", static_cast<double>(histories.size())},
                  {"always", static_cast<double>(always)}};
  const std::vector<Picture> pictures = {draw(map_of(histories, trace.num_rounds)), draw(curve)};
  result.picture = stacked(pictures);
  return result;
}

}  // namespace glassrank
