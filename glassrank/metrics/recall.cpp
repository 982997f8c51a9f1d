#include "glassrank/metrics/recall.h"

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

class RecallMetric final : public BinaryMetric {
 public:
  RecallMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention,
                     convention.r_empty == "same" ? convention.empty
                                                  : parse_empty_query(convention.r_empty)) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t num_relevant) const override {
    return hits(ranking) / static_cast<double>(num_relevant);
  }
};

}  // namespace

MetricInfo recall_info() {
  static constexpr std::string_view kAliases[] = {"recall"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "r",
      .aliases = kAliases,
      .doc = "recall: share of the relevant documents that are among the first k",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<RecallMetric>(spec, convention);
      }};
}

}  // namespace glassrank
