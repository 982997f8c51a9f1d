#pragma once
// The order that a set of features shall keep: pairs of documents of a query, the one that the
// ranker puts above the other first.
//
//   a ranking    all pairs
//   a document   the pairs it takes part in
//   a pair       itself
// Pairs with equal scores are left out: the ranker does not order them. Weights are differences of
// rank in the ranking, so that pairs far apart count more (Singh et al., ICTIR 2021), or all 1.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class PairWeights { kRankDifference, kNone };
template <>
struct EnumNames<PairWeights> {
  static std::span<const std::pair<std::string_view, PairWeights>> table();
};

struct DocumentPair {
  std::uint32_t upper = 0;
  std::uint32_t lower = 0;
  double weight = 1;

  bool operator==(const DocumentPair&) const = default;
};

// Every pair of the target, by rank of the upper and then of the lower.
std::vector<DocumentPair> pairs_of(const ExplainedQuery& query, const Target& target,
                                   PairWeights weights);

struct PairSample {
  std::size_t max_pairs = 0;
  std::uint64_t seed = 0;
  bool favours_top = false;  // a pair is drawn in proportion to the documents below its upper one
};
// pairs_of(), or `max_pairs` of them drawn without replacement where there are more, in the same
// order. Draws depend on the seed and the query's number.
std::vector<DocumentPair> sample_pairs(const ExplainedQuery& query, const Target& target,
                                       PairWeights weights, const PairSample& sample);

// How far other scores keep the target's order, 1 where they keep it all: for a ranking the tau of
// its scores (audit/validity.h), otherwise (kept - turned) / pairs.
double order_agreement(const ExplainedQuery& query, const Target& target,
                       std::span<const double> others, Tau tau);

}  // namespace glassrank
