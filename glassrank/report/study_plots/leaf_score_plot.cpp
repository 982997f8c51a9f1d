#include "glassrank/report/study_plots/leaf_score_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

constexpr std::string_view kGroups =
    "a line is a group of documents of one model. P_k: relevant documents among the first; O-: "
    "documents of the lowest grade that stay among the first although a better one is below "
    "(outliers); N: the others of the lowest grade. Where two lines run together, the trees do not "
    "tell the groups apart.";

using Scores = std::vector<std::vector<double>>;

Picture chart_of(const LeafScoreStudy& study, const std::string& title, Scores LeafScores::* kind) {
  LineChart chart{.title = title, .x_label = "tree", .y_label = "score", .series = {}};
  for (const ModelLeafScores& model : study.models) {
    for (std::size_t g = 0; g < study.groups.size(); ++g) {
      LineSeries series{.name = fmt::format("{} {}", model.model, study.groups[g].group),
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

}  // namespace

Picture study_picture(const LeafScoreStudy& study) {
  const std::vector<Picture> pictures = {
      with_note(chart_of(study, "Mean score by the trees so far", &LeafScores::so_far), kGroups),
      with_note(chart_of(study, "Mean value of the leaves most documents reach", &LeafScores::leaf),
                "the same groups, by what each tree alone gives to them.")};
  return stacked(pictures);
}

}  // namespace glassrank
