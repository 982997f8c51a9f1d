#include "glassrank/report/study_plots/leaf_score_plot.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/line_chart.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr std::string_view kGroups =
    "a line is a group of documents of one model. P_k: relevant documents among the first k ranks; "
    "O-: documents of the lowest grade that stay among them although a better one is below "
    "(outliers); N: the others of the lowest grade. Where two lines run together, the trees do not "
    "tell the groups apart.";

struct GroupLook {
  std::string_view group;
  std::string_view words;
  std::string_view colour;
};
constexpr std::array<GroupLook, 3> kLooks = {{{"P_k", "relevant at the top", "#3f8a60"},
                                              {"O-", "outliers", kRaises},
                                              {"N", "other negatives", kFaintInk}}};

using Scores = std::vector<std::vector<double>>;

Picture chart_of(const LeafScoreStudy& study, const std::string& title, Scores LeafScores::* kind) {
  LineChart chart{.title = title, .x_label = "tree", .y_label = "score", .series = {}};
  for (std::size_t m = 0; m < study.models.size(); ++m) {
    for (std::size_t g = 0; g < study.groups.size(); ++g) {
      const ModelLeafScores& model = study.models[m];
      const GroupLook& look = *std::ranges::find(kLooks, study.groups[g].group, &GroupLook::group);
      LineSeries series{
          .name = fmt::format("{}: {} ({})", model.model, look.words, study.groups[g].group),
          .x = {},
          .y = (model.scores.*kind)[g],
          .colour = look.colour,
          .dash = line_dash(m)};
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
