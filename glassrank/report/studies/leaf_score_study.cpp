#include "glassrank/report/studies/leaf_score_study.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

using Scores = std::vector<std::vector<double>>;

std::size_t num_trees_of(const std::vector<ModelLeafScores>& models) {
  std::size_t most = 0;
  for (const ModelLeafScores& model : models) {
    for (const auto& group : model.scores.leaf) most = std::max(most, group.size());
  }
  return most;
}

double mean_to(const std::vector<double>& values, std::size_t num_trees) {
  const std::size_t last = std::min(num_trees, values.size());
  double sum = 0;
  for (std::size_t t = 0; t < last; ++t) sum += values[t];
  return last == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(last);
}

std::string short_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

Picture chart_of(const std::vector<ModelLeafScores>& models, std::span<const DocumentGroup> groups,
                 const std::string& title, Scores LeafScores::* kind) {
  LineChart chart{.title = title, .x_label = "tree", .y_label = "score", .series = {}};
  for (const ModelLeafScores& model : models) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      LineSeries series{.name = fmt::format("{} {}", model.model, groups[g].name),
                        .x = {},
                        .y = (model.scores.*kind)[g]};
      for (std::size_t t = 1; t <= series.y.size(); ++t) {
        series.x.push_back(static_cast<double>(t));
      }
      chart.series.push_back(std::move(series));
    }
  }
  return draw(chart);
}

void add_shown(ReportTable& table, const std::vector<ModelLeafScores>& models,
               const std::string& first, auto&& value_of) {
  std::vector<std::string> cells = {first};
  for (const ModelLeafScores& model : models) {
    for (const std::vector<double>& group : model.scores.leaf) {
      cells.push_back(short_number(value_of(group)));
    }
  }
  table.rows.push_back(std::move(cells));
}

}  // namespace

StudyResult leaf_score_study(const std::vector<ModelLeafScores>& models,
                             std::span<const DocumentGroup> groups,
                             std::span<const std::size_t> shown_trees) {
  StudyResult result{
      .data = {.header = {"model", "tree", "group", "leaf_score", "score_so_far"}, .rows = {}},
      .name_columns = {0, 2},
      .shown = {.header = {"tree"}, .rows = {}}};
  for (const ModelLeafScores& model : models) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      result.shown.header.push_back(fmt::format("{} {}", model.model, groups[g].name));
      for (std::size_t t = 0; t < model.scores.leaf[g].size(); ++t) {
        result.data.rows.push_back({model.model, fmt::format("{}", t + 1), groups[g].name,
                                    number_cell(model.scores.leaf[g][t]),
                                    number_cell(model.scores.so_far[g][t])});
      }
    }
  }
  for (const std::size_t tree : shown_trees) {
    add_shown(result.shown, models, fmt::format("{}", tree), [&](const std::vector<double>& v) {
      return tree <= v.size() ? v[tree - 1] : std::numeric_limits<double>::quiet_NaN();
    });
  }
  const std::size_t last = num_trees_of(models);
  add_shown(result.shown, models, fmt::format("mean 1-{}", last),
            [&](const std::vector<double>& v) { return mean_to(v, last); });
  for (const DocumentGroup& group : groups) {
    result.facts.emplace_back(group.name, static_cast<double>(group.rows.size()));
  }
  const std::vector<Picture> pictures = {
      chart_of(models, groups, "Mean value of the leaves most documents reach", &LeafScores::leaf),
      chart_of(models, groups, "Mean score by the trees so far", &LeafScores::so_far)};
  result.picture = stacked(pictures);
  return result;
}

}  // namespace glassrank
