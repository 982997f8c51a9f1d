#include "glassrank/metrics/precision.h"

#include <algorithm>

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

class PrecisionMetric final : public BinaryMetric {
 public:
  PrecisionMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, zero_unless_skipped(convention.empty)),
        divisor_(convention.precision_divisor) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t num_ranks = std::min(depth(), ranking.num_documents());
    if (num_ranks == 0) return 0;
    const bool whole = depth() == kNoCutoff || divisor_ == PrecisionDivisor::kDocuments;
    return hits(ranking) / static_cast<double>(whole ? num_ranks : depth());
  }

 private:
  PrecisionDivisor divisor_;
};

}  // namespace

MetricInfo precision_info() {
  static constexpr std::string_view kAliases[] = {"precision"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "p",
      .aliases = kAliases,
      .doc = "precision: share of relevant documents among the first k",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<PrecisionMetric>(spec, convention);
      }};
}

}  // namespace glassrank
