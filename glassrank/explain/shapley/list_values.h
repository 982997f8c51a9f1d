#pragma once
// What a ranking with some features unknown is worth: the value functions of ranking-shap.
//
// Each takes the scores of all documents of the query after masking. Equal scores are true ties,
// and each function says what they count, so that the order of the input never matters: with
// nothing known every document has the same score.
//   tau       Kendall's tau-a with the real scores; a tie counts 0. 1: the order is kept.
//   ndcg      NDCG@cutoff of the masked order, its ties averaged. By `order`, the first documents
//             of the real ranking have gains cutoff, cutoff - 1, ..., 1 and the others 0; by
//             `grades`, the judged relevance with the usual exponential gain.
//   rank      documents that this one is ahead of; one tied with it counts half.
//   top-k     1: it is among the first `cutoff`; of tied ones each gets its share of the places.
//   pairwise  1: the document is above the other, -1: below, 0: tied. tau is its mean over pairs.
// Cost: O(n log n) for tau and ndcg, O(n) otherwise.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/explain/subject.h"

namespace glassrank {

using ListValue = std::function<double(std::span<const double> scores)>;

ListValue tau_value(const ExplainedQuery& query);
ListValue own_order_ndcg_value(const ExplainedQuery& query, std::size_t cutoff);
// Nothing where no document has a gain. Throws Error{kUsage} when grades are not known.
std::optional<ListValue> graded_ndcg_value(const ExplainedQuery& query, std::size_t cutoff);
ListValue rank_value(std::uint32_t document);
ListValue top_k_value(std::uint32_t document, std::size_t cutoff);
ListValue pairwise_value(std::uint32_t document, std::uint32_t other);

}  // namespace glassrank
