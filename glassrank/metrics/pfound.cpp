#include "glassrank/metrics/pfound.h"

#include <limits>

#include "glassrank/metrics/cascade.h"

namespace glassrank {
namespace {

constexpr double kDefaultBreak = 0.15;

class PfoundMetric final : public Metric {
 public:
  PfoundMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, zero_unless_skipped(convention.empty)),
        reader_(spec, convention),
        goes_on_(1 - spec.param("break").value_or(kDefaultBreak)) {}

  double evaluate(const Ranking& ranking) const override {
    const auto stops = reader_.stop_probabilities(ranking);
    if (!stops) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    double patience = 1;
    for (const double stop : *stops) {
      sum += patience * stop;
      patience *= goes_on_;
    }
    return sum;
  }

 private:
  CascadeReader reader_;
  double goes_on_;
};

}  // namespace

MetricInfo pfound_info() {
  static constexpr MetricParam kParams[] = {kMaxGradeParam,
                                            {.name = "break",
                                             .default_text = "0.15",
                                             .doc = "probability of giving up after each document",
                                             .range = kShare}};
  return {
      .name = "pfound",
      .aliases = {},
      .doc = "probability that a cascade reader who may give up finds what she looks for",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<PfoundMetric>(spec, convention);
      }};
}

}  // namespace glassrank
