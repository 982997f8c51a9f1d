#include "glassrank/metrics/err.h"

#include <limits>

#include "glassrank/metrics/cascade.h"

namespace glassrank {
namespace {

class ErrMetric final : public Metric {
 public:
  ErrMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, zero_unless_skipped(convention.empty)), reader_(spec, convention) {}

  double evaluate(const Ranking& ranking) const override {
    const auto stops = reader_.stop_probabilities(ranking);
    if (!stops) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::size_t rank = 0; rank < stops->size(); ++rank) {
      sum += (*stops)[rank] / static_cast<double>(rank + 1);
    }
    return sum;
  }

 private:
  CascadeReader reader_;
};

}  // namespace

MetricInfo err_info() {
  static constexpr MetricParam kParams[] = {kMaxGradeParam};
  return {
      .name = "err",
      .aliases = {},
      .doc = "expected reciprocal rank of the document that satisfies a cascade reader",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<ErrMetric>(spec, convention);
      }};
}

}  // namespace glassrank
