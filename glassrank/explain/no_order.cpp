#include "glassrank/explain/no_order.h"

#include <algorithm>

#include <fmt/format.h>

namespace glassrank {

std::string why_no_order(const ExplainedQuery& query, const Target& target) {
  if (query.num_documents() < 2) {
    return fmt::format("query {} has one document: there is no order to explain", query.id);
  }
  const auto all_have = [&](double score) {
    return std::ranges::all_of(query.scores, [&](double each) { return each == score; });
  };
  switch (target.kind) {
    case TargetKind::kRanking:
      if (!all_have(query.scores.front())) return {};
      return fmt::format("all documents of query {} have the same score", query.id);
    case TargetKind::kDocument:
      if (!all_have(query.scores[target.document])) return {};
      return fmt::format("all documents of query {} have the score of document {}", query.id,
                         target.document + 1);
    case TargetKind::kPair:
      if (query.scores[target.document] != query.scores[target.other]) return {};
      return fmt::format("documents {} and {} of query {} have the same score", target.document + 1,
                         target.other + 1, query.id);
  }
  return {};
}

}  // namespace glassrank
