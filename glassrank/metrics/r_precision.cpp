#include "glassrank/metrics/r_precision.h"

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

class RPrecisionMetric final : public BinaryMetric {
 public:
  RPrecisionMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, convention.empty) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t num_relevant) const override {
    return hits(ranking, num_relevant) / static_cast<double>(num_relevant);
  }
};

}  // namespace

MetricInfo r_precision_info() {
  static constexpr std::string_view kAliases[] = {"r_precision"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "rprec",
      .aliases = kAliases,
      .doc = "precision among the first R documents, R being the number of relevant ones",
      .params = kParams,
      .has_cutoff = false,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<RPrecisionMetric>(spec, convention);
      }};
}

}  // namespace glassrank
