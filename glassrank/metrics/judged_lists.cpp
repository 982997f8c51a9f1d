#include "glassrank/metrics/judged_lists.h"

namespace glassrank {
namespace {

std::vector<float> to_float(const std::vector<double>& grades) {
  std::vector<float> result;
  result.reserve(grades.size());
  for (const double grade : grades) result.push_back(static_cast<float>(grade));
  return result;
}

}  // namespace

JudgedLists::JudgedLists(const JudgedRun& run) : run_(run) {
  grades_.reserve(run.queries.size());
  for (const JudgedQuery& query : run.queries) {
    grades_.push_back({.listed = to_float(query.grades),
                       .missed = to_float(query.missed_grades),
                       .judged = {query.judged.begin(), query.judged.end()}});
  }
}

RankedList JudgedLists::list(std::size_t query, bool with_ids,
                             std::vector<std::string_view>& ids) const {
  const JudgedQuery& judged = run_.queries[query];
  ids.clear();
  if (with_ids) ids.assign(judged.documents.begin(), judged.documents.end());
  return {.scores = judged.scores,
          .grades = grades_[query].listed,
          .document_ids = ids,
          .missed_grades = grades_[query].missed,
          .judged = grades_[query].judged};
}

std::string JudgedLists::query_name(std::size_t query) const { return run_.queries[query].id; }

std::string JudgedLists::document_name(std::size_t query, std::size_t slot) const {
  return run_.queries[query].documents[slot];
}

}  // namespace glassrank
