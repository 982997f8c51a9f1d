#include "glassrank/report/studies/rank_study.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/report/plots/rank_chart.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostColumns = 240;  // of the picture: more cannot be told apart

ReportTable data_table(const std::vector<ModelRanks>& models, const std::vector<float>& grades,
                       const std::vector<std::string>& names, const std::vector<bool>& low) {
  ReportTable table{.header = {"model", "document", "grade", "always_low", "trees", "rank"},
                    .rows = {}};
  for (const ModelRanks& model : models) {
    for (std::size_t d = 0; d < names.size(); ++d) {
      for (std::size_t t = 0; t < model.trace.num_rounds; ++t) {
        table.rows.push_back({model.model, names[d], fmt::format("{}", grades[d]),
                              low[d] ? "1" : "0", fmt::format("{}", t + 1),
                              fmt::format("{}", model.trace.ranks[d][t] + 1)});
      }
    }
  }
  return table;
}

Picture chart_of(const ModelRanks& model, const std::vector<float>& grades,
                 const std::vector<std::string>& names, const std::vector<bool>& low,
                 const RankStudyParams& params) {
  RankChart chart{
      .title = fmt::format("Query {}: ranks by {}", params.query, model.model),
      .rounds = {},
      .ranks = std::vector<std::vector<std::uint32_t>>(names.size()),
      .grades = grades,
      .names = names,
      .highlighted = low,
      .highlight_label = fmt::format("always in the lowest {:.0f} %", 100 * params.low)};
  for (const std::size_t trees : even_rounds(model.trace.num_rounds, kMostColumns)) {
    chart.rounds.push_back(static_cast<double>(trees));
    for (std::size_t d = 0; d < names.size(); ++d) {
      chart.ranks[d].push_back(model.trace.ranks[d][trees - 1]);
    }
  }
  return draw(chart);
}

}  // namespace

double mean_move(const RankTrace& trace, const std::vector<bool>& documents) {
  double sum = 0;
  double steps = 0;
  for (std::size_t d = 0; d < trace.num_documents(); ++d) {
    if (!documents.empty() && !documents[d]) continue;
    for (std::size_t t = 1; t < trace.num_rounds; ++t) {
      sum += std::abs(static_cast<double>(trace.ranks[d][t]) -
                      static_cast<double>(trace.ranks[d][t - 1]));
      ++steps;
    }
  }
  return steps == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / steps;
}

StudyResult rank_study(const std::vector<ModelRanks>& models, const std::vector<float>& grades,
                       const std::vector<std::string>& names, const RankStudyParams& params) {
  const std::vector<bool> low =
      always_at_bottom(models.front().trace, grades, params.low, params.negative_grade,
                       static_cast<std::size_t>(params.from));
  const auto num_low = std::ranges::count(low, true);
  ReportTable shown{
      .header = {"model", "trees", "documents", "moves a tree", "low: moves a tree", "low: at end"},
      .rows = {}};
  std::vector<Picture> pictures;
  for (const ModelRanks& model : models) {
    const double share = share_of_bottom(model.trace, low, params.low, model.trace.num_rounds - 1);
    shown.rows.push_back({model.model, fmt::format("{}", model.trace.num_rounds),
                          fmt::format("{}", names.size()),
                          fmt::format("{:.3f}", mean_move(model.trace, {})),
                          num_low == 0 ? "-" : fmt::format("{:.3f}", mean_move(model.trace, low)),
                          fmt::format("{:.1f} %", 100 * share)});
    pictures.push_back(chart_of(model, grades, names, low, params));
  }
  return {
      .data = data_table(models, grades, names, low),
      .name_columns = {0, 1},
      .shown = std::move(shown),
      .notes = {fmt::format(
          "low: the {} documents that {} keeps in the lowest {:.0f} % of the ranks from tree {} "
          "on; 'at end' is the share of those ranks they fill after the last",
          num_low, models.front().model, 100 * params.low, params.from)},
      .facts = {{"always_low", static_cast<double>(num_low)}},
      .picture = stacked(pictures)};
}

}  // namespace glassrank
