#include "glassrank/metrics/rbp.h"

#include <algorithm>
#include <cmath>

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

constexpr double kDefaultPersistence = 0.8;

class RbpMetric final : public BinaryMetric {
 public:
  RbpMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, zero_unless_skipped(convention.empty)),
        persistence_(spec.param("p").value_or(kDefaultPersistence)) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t cutoff = std::min(depth(), ranking.grades.size());
    if (ranking.average_ties) return (1 - persistence_) * expected(ranking, cutoff);
    double sum = 0;
    double weight = 1;
    for (std::size_t rank = 0; rank < cutoff; ++rank, weight *= persistence_) {
      if (is_relevant(ranking.grades[rank])) sum += weight;
    }
    return (1 - persistence_) * sum;
  }

 private:
  double expected(const Ranking& ranking, std::size_t cutoff) const {
    double sum = 0;
    double weight = 1;
    for_each_tie_group(ranking, cutoff, [&](std::size_t begin, std::size_t end) {
      const double share =
          static_cast<double>(count(ranking, begin, end)) / static_cast<double>(end - begin);
      for (std::size_t rank = begin; rank < std::min(end, cutoff); ++rank) {
        sum += share * weight;
        weight *= persistence_;
      }
    });
    return sum;
  }

  double persistence_;
};

}  // namespace

MetricInfo rbp_info() {
  static constexpr MetricParam kParams[] = {
      {.name = "p",
       .default_text = "0.8",
       .doc = "probability of going on to the next document",
       .range = {.low = 0.0, .high = 1.0, .open_low = true, .open_high = true}},
      kRelevantParam};
  return {
      .name = "rbp",
      .aliases = {},
      .doc = "rank-biased precision: relevance weighted by (1 - p) p^(rank - 1)",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<RbpMetric>(spec, convention);
      }};
}

}  // namespace glassrank
