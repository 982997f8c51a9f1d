#include "glassrank/explain/subject.h"

#include <algorithm>
#include <numeric>

#include "glassrank/base/error.h"

namespace glassrank {

const Model* Subject::step_model() const {
  if (model == nullptr) return nullptr;
  const bool has_steps = match(*model, []<typename Body>(const Body&) { return Body::kHasSteps; });
  return has_steps ? model : nullptr;
}

std::vector<std::uint32_t> rank_documents(std::span<const double> scores) {
  std::vector<std::uint32_t> ranking(scores.size());
  std::iota(ranking.begin(), ranking.end(), 0U);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  return ranking;
}

ExplainedQuery view_query(const Subject& subject, const Dataset& data, std::size_t query,
                          const Context& context) {
  const RowRange range = data.queries().rows(query);
  ExplainedQuery view;
  view.number = query;
  view.id = data.queries().id(query);
  view.rows = {data.features().data() + range.begin * data.num_features(), range.size(),
               data.num_features()};
  view.scores.resize(range.size());
  subject.scorer.score(view.rows, view.scores, context);
  if (data.table().has_grades) view.grades = data.grades().subspan(range.begin, range.size());
  view.ranking = rank_documents(view.scores);
  view.ranks.resize(range.size());
  for (std::size_t i = 0; i < view.ranking.size(); ++i) {
    view.ranks[view.ranking[i]] = static_cast<std::uint32_t>(i);
  }
  return view;
}

void check_subject(const Subject& subject) {
  if (subject.background.num_rows() == 0) {
    fail(ErrorKind::kUsage, "the background data has no rows; explanations compare with its rows");
  }
  if (subject.background.num_features() < subject.num_features()) {
    fail(ErrorKind::kUsage, "the background data has {} features, the model {}",
         subject.background.num_features(), subject.num_features());
  }
}

}  // namespace glassrank
