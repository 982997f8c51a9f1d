#include "glassrank/metrics/reciprocal_rank.h"

#include <algorithm>

#include "glassrank/metrics/binary_relevance.h"

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

class ReciprocalRankMetric final : public BinaryMetric {
 public:
  ReciprocalRankMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, zero_unless_skipped(convention.empty)) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t cutoff = std::min(depth(), ranking.grades.size());
    if (ranking.average_ties) return expected(ranking, cutoff);
    for (std::size_t rank = 0; rank < cutoff; ++rank) {
      if (is_relevant(ranking.grades[rank])) return 1.0 / static_cast<double>(rank + 1);
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
  static constexpr std::string_view kAliases[] = {"rr"};
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
