#include "glassrank/data/judged_run.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "glassrank/data/document_index.h"

namespace glassrank {
namespace {

JudgedQuery join_query(const Qrels& qrels, RowRange judgements, const Run& run, RowRange retrieved,
                       DocumentIndex& index) {
  JudgedQuery query;
  index.reset(judgements.size());
  for (std::size_t j = judgements.begin; j < judgements.end; ++j) {
    index.insert(qrels.documents[j], static_cast<std::uint32_t>(j - judgements.begin));
  }
  std::vector<bool> seen(judgements.size(), false);
  query.documents.reserve(retrieved.size());
  query.scores.assign(run.scores.begin() + retrieved.begin, run.scores.begin() + retrieved.end);
  for (std::size_t r = retrieved.begin; r < retrieved.end; ++r) {
    const std::string_view document = run.documents[r];
    query.documents.emplace_back(document);
    const std::uint32_t place = index.find(document);
    const bool judged = place != DocumentIndex::kAbsent;
    query.judged.push_back(judged);
    query.grades.push_back(judged ? qrels.grades[judgements.begin + place] : 0.0);
    if (judged) seen[place] = true;
  }
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (!seen[j]) query.missed_grades.push_back(qrels.grades[judgements.begin + j]);
  }
  return query;
}

}  // namespace

JudgedRun join_run(const Qrels& qrels, const Run& run, const JoinOptions& options) {
  std::unordered_map<std::string_view, std::size_t> retrieved_queries;
  for (std::size_t q = 0; q < run.queries.num_queries(); ++q) {
    retrieved_queries.emplace(run.queries.id(q), q);
  }
  JudgedRun joined;
  DocumentIndex index;
  std::size_t num_in_both = 0;
  for (std::size_t q = 0; q < qrels.queries.num_queries(); ++q) {
    const auto found = retrieved_queries.find(qrels.queries.id(q));
    RowRange retrieved;
    if (found != retrieved_queries.end()) {
      retrieved = run.queries.rows(found->second);
      ++num_in_both;
    } else {
      ++joined.num_not_retrieved;
      if (!options.complete) continue;
    }
    joined.queries.push_back(join_query(qrels, qrels.queries.rows(q), run, retrieved, index));
    joined.queries.back().id = qrels.queries.id(q);
  }
  joined.num_not_judged = run.queries.num_queries() - num_in_both;
  return joined;
}

}  // namespace glassrank
