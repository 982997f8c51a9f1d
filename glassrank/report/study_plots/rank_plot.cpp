#include "glassrank/report/study_plots/rank_plot.h"

#include <fmt/format.h>

#include "glassrank/report/plots/rank_chart.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostColumns = 240;  // of the picture: more cannot be told apart

Picture chart_of(const RankStudy& study, const ModelRanks& model) {
  RankChart chart{.title = fmt::format("Query {}: ranks by {}", study.query, model.model),
                  .rounds = {},
                  .ranks = std::vector<std::vector<std::uint32_t>>(study.documents.size()),
                  .grades = {},
                  .names = {},
                  .highlighted = {},
                  .highlight_label = fmt::format("always in the lowest {:.0f} %", 100 * study.low)};
  for (const RankedDocument& document : study.documents) {
    chart.grades.push_back(document.grade);
    chart.names.push_back(document.document);
    chart.highlighted.push_back(document.is_low);
  }
  for (const std::size_t trees : even_rounds(model.trace.num_rounds, kMostColumns)) {
    chart.rounds.push_back(static_cast<double>(trees));
    for (std::size_t d = 0; d < study.documents.size(); ++d) {
      chart.ranks[d].push_back(model.trace.ranks[d][trees - 1]);
    }
  }
  return with_note(
      draw(chart),
      "a ribbon is a document, its colour the grade; the first is at the top, and bands "
      "are as high as what their rank counts for in NDCG. A ribbon that settles early "
      "far from its grade was not misplaced by chance.");
}

}  // namespace

Picture study_picture(const RankStudy& study) {
  std::vector<Picture> pictures;
  for (const ModelRanks& model : study.models) pictures.push_back(chart_of(study, model));
  return stacked(pictures);
}

}  // namespace glassrank
