#include "glassrank/metrics/reciprocal_rank.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "glassrank/metrics/binary_relevance.h"
#include "glassrank/metrics/swap_delta.h"

namespace glassrank {
namespace {

// Sum over i of P(first relevant one is the i-th of the run) / (begin + i + 1), ranks below cutoff.
double expected_reciprocal(std::size_t begin, std::size_t size, std::size_t num_relevant,
                           std::size_t cutoff) {
  double sum = 0;
  double probability = static_cast<double>(num_relevant) / static_cast<double>(size);
  for (std::size_t i = 0; i <= size - num_relevant && begin + i < cutoff; ++i) {
    sum += probability / static_cast<double>(begin + i + 1);
    // C(m-2-i, r-1) / C(m-1-i, r-1) = (m-r-i) / (m-1-i)
    probability *= static_cast<double>(size - num_relevant - i) / static_cast<double>(size - 1 - i);
  }
  return sum;
}

double reciprocal_at(std::size_t rank, std::size_t cutoff) {
  return rank < cutoff ? 1.0 / static_cast<double>(rank + 1) : 0;
}

// Only the first two relevant documents matter.
class ReciprocalRankSwapDeltas final : public SwapDeltas {
 public:
  ReciprocalRankSwapDeltas(std::vector<char> relevant, std::size_t cutoff)
      : relevant_(std::move(relevant)), cutoff_(cutoff) {
    first_ = next_relevant(0);
    second_ = next_relevant(first_ + 1);
  }

 private:
  double change_below(std::size_t above, std::size_t below) override {
    if (relevant_[above] == relevant_[below]) return 0;
    std::size_t first = first_;
    if (relevant_[below] != 0) {
      first = std::min(first_, above);
    } else if (above == first_) {
      first = std::min(second_, below);
    }
    return reciprocal_at(first, cutoff_) - reciprocal_at(first_, cutoff_);
  }

  std::size_t next_relevant(std::size_t rank) const {
    while (rank < relevant_.size() && relevant_[rank] == 0) ++rank;
    return rank;
  }

  std::vector<char> relevant_;  // by rank
  std::size_t cutoff_;          // at most the number of documents
  std::size_t first_;           // ranks; the number of documents or more when there is none
  std::size_t second_;
};

class ReciprocalRankMetric final : public BinaryMetric {
 public:
  ReciprocalRankMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, zero_unless_skipped(convention.empty)) {}

  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const override {
    std::vector<char> relevant;
    for (const float grade : ranking.grades) relevant.push_back(is_relevant(grade) ? 1 : 0);
    const std::size_t cutoff = std::min(depth(), relevant.size());
    return std::make_unique<ReciprocalRankSwapDeltas>(std::move(relevant), cutoff);
  }

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t cutoff = std::min(depth(), ranking.grades.size());
    if (ranking.average_ties) return expected(ranking, cutoff);
    for (std::size_t rank = 0; rank < cutoff; ++rank) {
      if (is_relevant(ranking.grades[rank])) return reciprocal_at(rank, cutoff);
    }
    return 0;
  }

 private:
  double expected(const Ranking& ranking, std::size_t cutoff) const {
    std::size_t begin = 0;
    for (const std::size_t end : ranking.tie_ends) {
      const std::size_t num_relevant = count(ranking, begin, end);
      if (num_relevant > 0) return expected_reciprocal(begin, end - begin, num_relevant, cutoff);
      begin = end;
    }
    return 0;
  }
};

}  // namespace

MetricInfo reciprocal_rank_info() {
  static constexpr std::string_view kAliases[] = {"rr", "recip_rank"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "mrr",
      .aliases = kAliases,
      .doc = "reciprocal rank of the first relevant document",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<ReciprocalRankMetric>(spec, convention);
      }};
}

}  // namespace glassrank
