#include "glassrank/explain/greedy/document_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// The pairs of a ranking as numbers 0, 1, ...: first those of the document ranked first with all
// that are scored less, then those of the next.
class RankedPairs {
 public:
  RankedPairs(const ExplainedQuery& query, PairWeights weights) : query_(query), weights_(weights) {
    const std::size_t num_documents = query.num_documents();
    first_below_.resize(num_documents);
    before_.resize(num_documents + 1);
    std::size_t below = num_documents;
    for (std::size_t rank = num_documents; rank-- > 0;) {
      if (rank + 1 < num_documents && score(rank) != score(rank + 1)) below = rank + 1;
      first_below_[rank] = below;
    }
    for (std::size_t rank = 0; rank < num_documents; ++rank) {
      before_[rank + 1] = before_[rank] + num_documents - first_below_[rank];
    }
  }

  std::uint64_t size() const { return before_.back(); }
  DocumentPair at(std::uint64_t number) const {
    const auto next = std::ranges::upper_bound(before_, number);
    const auto upper = static_cast<std::size_t>(next - before_.begin()) - 1;
    const std::size_t lower = first_below_[upper] + (number - before_[upper]);
    return pair(upper, lower);
  }
  DocumentPair pair(std::size_t upper, std::size_t lower) const {
    const double weight =
        weights_ == PairWeights::kRankDifference ? static_cast<double>(lower - upper) : 1;
    return {query_.ranking[upper], query_.ranking[lower], weight};
  }
  bool is_ordered(std::size_t upper, std::size_t lower) const {
    return lower >= first_below_[upper];
  }

 private:
  double score(std::size_t rank) const { return query_.scores[query_.ranking[rank]]; }

  const ExplainedQuery& query_;
  PairWeights weights_;
  std::vector<std::size_t> first_below_;  // by rank: the next rank with a lower score
  std::vector<std::uint64_t> before_;     // by rank: pairs of the ranks above
};

std::vector<DocumentPair> pairs_with(const ExplainedQuery& query, const RankedPairs& all,
                                     std::size_t rank, std::span<const std::size_t> others) {
  std::vector<DocumentPair> pairs;
  for (const std::size_t other : others) {
    if (other == rank) continue;
    const auto [upper, lower] = std::minmax(rank, other);
    if (all.is_ordered(upper, lower)) pairs.push_back(all.pair(upper, lower));
  }
  std::ranges::sort(pairs, {}, [&](const DocumentPair& pair) {
    return std::pair(query.ranks[pair.upper], query.ranks[pair.lower]);
  });
  return pairs;
}

// `count` of the numbers below `size`, ascending (Floyd).
std::vector<std::uint64_t> draw_numbers(std::uint64_t size, std::size_t count,
                                        RandomSequence random) {
  std::unordered_set<std::uint64_t> drawn;
  for (std::uint64_t last = size - count; last < size; ++last) {
    const std::uint64_t number = random.below(last + 1);
    drawn.insert(drawn.contains(number) ? last : number);
  }
  std::vector<std::uint64_t> numbers(drawn.begin(), drawn.end());
  std::ranges::sort(numbers);
  return numbers;
}

// In proportion to the documents below the upper one, without replacement: the largest values of
// uniform^(1 / weight) (Efraimidis & Spirakis 2006).
std::vector<std::uint64_t> draw_favouring_top(const ExplainedQuery& query, const RankedPairs& all,
                                              std::size_t count, const CounterRandom& random) {
  std::vector<std::pair<double, std::uint64_t>> keys;
  for (std::uint64_t number = 0; number < all.size(); ++number) {
    const std::size_t rank = query.ranks[all.at(number).upper];
    const auto weight = static_cast<double>(query.num_documents() - 1 - rank);
    keys.emplace_back(std::log(1 - random.uniform(number)) / weight, number);
  }
  std::ranges::sort(keys, std::greater<>());
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(keys[i].second);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

std::span<const std::pair<std::string_view, PairWeights>> EnumNames<PairWeights>::table() {
  static constexpr std::array<std::pair<std::string_view, PairWeights>, 2> kNames = {
      {{"rank-difference", PairWeights::kRankDifference}, {"none", PairWeights::kNone}}};
  return kNames;
}

std::vector<DocumentPair> pairs_of(const ExplainedQuery& query, const Target& target,
                                   PairWeights weights) {
  const RankedPairs all(query, weights);
  if (target.kind == TargetKind::kPair) {
    const std::size_t other = query.ranks[target.other];
    return pairs_with(query, all, query.ranks[target.document], {&other, 1});
  }
  if (target.kind == TargetKind::kDocument) {
    std::vector<std::size_t> others(query.num_documents());
    std::iota(others.begin(), others.end(), std::size_t{0});
    return pairs_with(query, all, query.ranks[target.document], others);
  }
  std::vector<DocumentPair> pairs;
  for (std::uint64_t number = 0; number < all.size(); ++number) pairs.push_back(all.at(number));
  return pairs;
}

std::vector<DocumentPair> sample_pairs(const ExplainedQuery& query, const Target& target,
                                       PairWeights weights, const PairSample& sample) {
  if (target.kind == TargetKind::kPair) return pairs_of(query, target, weights);
  const CounterRandom random(sample.seed, "pairs", query.number);
  const auto draw = [&](std::uint64_t size) {
    return draw_numbers(size, sample.max_pairs, RandomSequence(random));
  };
  std::vector<DocumentPair> pairs;
  if (target.kind == TargetKind::kDocument) {
    const std::vector<DocumentPair> all = pairs_of(query, target, weights);
    if (all.size() <= sample.max_pairs) return all;
    for (const std::uint64_t number : draw(all.size())) pairs.push_back(all[number]);
    return pairs;
  }
  const RankedPairs all(query, weights);
  if (all.size() <= sample.max_pairs) return pairs_of(query, target, weights);
  const auto numbers = sample.favours_top ? draw_favouring_top(query, all, sample.max_pairs, random)
                                          : draw(all.size());
  for (const std::uint64_t number : numbers) pairs.push_back(all.at(number));
  return pairs;
}

double order_agreement(const ExplainedQuery& query, const Target& target,
                       std::span<const double> others, Tau tau) {
  if (target.kind == TargetKind::kRanking) return rank_agreement(query.scores, others, tau);
  const std::vector<DocumentPair> pairs = pairs_of(query, target, PairWeights::kNone);
  std::int64_t kept = 0;
  for (const DocumentPair& pair : pairs) {
    kept += others[pair.upper] > others[pair.lower] ? 1 : 0;
    kept -= others[pair.upper] < others[pair.lower] ? 1 : 0;
  }
  return pairs.empty() ? 1 : static_cast<double>(kept) / static_cast<double>(pairs.size());
}

}  // namespace glassrank
