#include "glassrank/metrics/success.h"

#include <algorithm>

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

// C(size - num_relevant, drawn) / C(size, drawn).
double none_drawn(std::size_t size, std::size_t num_relevant, std::size_t drawn) {
  double probability = 1;
  for (std::size_t i = 0; i < drawn; ++i) {
    if (size - num_relevant <= i) return 0;
    probability *= static_cast<double>(size - num_relevant - i) / static_cast<double>(size - i);
  }
  return probability;
}

class SuccessMetric final : public BinaryMetric {
 public:
  SuccessMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, zero_unless_skipped(convention.empty)) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t cutoff = std::min(depth(), ranking.grades.size());
    if (!ranking.average_ties) return count(ranking, 0, cutoff) > 0 ? 1 : 0;
    double none = 1;
    for_each_tie_group(ranking, cutoff, [&](std::size_t begin, std::size_t end) {
      none *= none_drawn(end - begin, count(ranking, begin, end), std::min(end, cutoff) - begin);
    });
    return 1 - none;
  }
};

}  // namespace

MetricInfo success_info() {
  static constexpr std::string_view kAliases[] = {"hit_rate"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "success",
      .aliases = kAliases,
      .doc = "whether any of the first k documents is relevant",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<SuccessMetric>(spec, convention);
      }};
}

}  // namespace glassrank
