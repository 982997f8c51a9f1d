#include "glassrank/explain/shapley/list_values.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/math/rank_correlation.h"
#include "glassrank/metrics/dcg.h"
#include "glassrank/metrics/gain.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {
namespace {

ListValue ndcg_of(std::vector<float> grades, Gain gain, std::size_t cutoff) {
  const auto dcg = std::make_shared<const Dcg>(std::move(gain), cutoff);
  const double ideal = dcg->ideal(grades);
  return [dcg, ideal, grades = std::move(grades), cutoff](std::span<const double> scores) {
    RankingScratch scratch;
    const RankedList list{
        .scores = scores, .grades = grades, .document_ids = {}, .missed_grades = {}};
    const bool tied = has_ties(scores, scratch);
    const Ranking ranking =
        rank_documents(list, RankingNeeds{.ties = Ties::kAverage, .depth = cutoff}, tied, scratch);
    return dcg->of(ranking) / ideal;
  };
}

struct Places {
  std::size_t above = 0;
  std::size_t tied = 0;  // others with the same score
};

Places places_of(std::span<const double> scores, std::uint32_t document) {
  Places places;
  for (const double score : scores) {
    places.above += score > scores[document] ? 1 : 0;
    places.tied += score == scores[document] ? 1 : 0;
  }
  --places.tied;  // itself
  return places;
}

}  // namespace

ListValue tau_value(const ExplainedQuery& query) {
  return
      [real = query.scores](std::span<const double> scores) { return kendall_tau_a(real, scores); };
}

ListValue own_order_ndcg_value(const ExplainedQuery& query, std::size_t cutoff) {
  const std::size_t depth = std::min(cutoff, query.num_documents());
  std::vector<float> gains(query.num_documents());
  for (std::size_t r = 0; r < depth; ++r) {
    gains[query.ranking[r]] = static_cast<float>(depth - r);
  }
  return ndcg_of(std::move(gains), Gain{.kind = GainKind::kLinear}, cutoff);
}

std::optional<ListValue> graded_ndcg_value(const ExplainedQuery& query, std::size_t cutoff) {
  if (query.grades.size() != query.num_documents()) {
    fail(ErrorKind::kUsage,
         "the grades of query {} are not known: gains = order compares with the ranker's own order",
         query.id);
  }
  std::vector<float> grades(query.grades.begin(), query.grades.end());
  if (std::ranges::none_of(grades, [](float grade) { return grade > 0; })) return std::nullopt;
  return ndcg_of(std::move(grades), Gain{}, cutoff);
}

ListValue rank_value(std::uint32_t document) {
  return [document](std::span<const double> scores) {
    const Places places = places_of(scores, document);
    const std::size_t below = scores.size() - 1 - places.above - places.tied;
    return static_cast<double>(below) + static_cast<double>(places.tied) / 2;
  };
}

ListValue top_k_value(std::uint32_t document, std::size_t cutoff) {
  return [document, cutoff](std::span<const double> scores) {
    const Places places = places_of(scores, document);
    if (places.above >= cutoff) return 0.0;
    return std::min(
        1.0, static_cast<double>(cutoff - places.above) / static_cast<double>(places.tied + 1));
  };
}

ListValue pairwise_value(std::uint32_t document, std::uint32_t other) {
  return [document, other](std::span<const double> scores) {
    return scores[document] > scores[other] ? 1.0 : scores[document] < scores[other] ? -1.0 : 0.0;
  };
}

}  // namespace glassrank
