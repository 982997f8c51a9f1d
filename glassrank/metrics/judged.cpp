#include "glassrank/metrics/judged.h"

#include <algorithm>

namespace glassrank {
namespace {

class JudgedMetric final : public Metric {
 public:
  JudgedMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, convention.empty), divisor_(convention.precision_divisor) {}

  double evaluate(const Ranking& ranking) const override {
    const std::size_t num_ranks = std::min(depth(), ranking.num_documents());
    if (num_ranks == 0) return 0;
    const bool whole = depth() == kNoCutoff || divisor_ == PrecisionDivisor::kDocuments;
    return count(ranking, num_ranks) / static_cast<double>(whole ? num_ranks : depth());
  }

 private:
  // The expected number where ties are averaged.
  static double count(const Ranking& ranking, std::size_t num_ranks) {
    const auto count_between = [&](std::size_t begin, std::size_t end) {
      double count = 0;
      for (std::size_t rank = begin; rank < end; ++rank) count += ranking.is_judged(rank) ? 1 : 0;
      return count;
    };
    if (!ranking.average_ties) return count_between(0, num_ranks);
    double count = 0;
    for_each_tie_group(ranking, num_ranks, [&](std::size_t begin, std::size_t end) {
      count += count_between(begin, end) * static_cast<double>(std::min(end, num_ranks) - begin) /
               static_cast<double>(end - begin);
    });
    return count;
  }

  PrecisionDivisor divisor_;
};

}  // namespace

MetricInfo judged_info() {
  return {
      .name = "judged",
      .aliases = {},
      .doc = "share of the first k documents that were judged",
      .params = {},
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<JudgedMetric>(spec, convention);
      }};
}

}  // namespace glassrank
