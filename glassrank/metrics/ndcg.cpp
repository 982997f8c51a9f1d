#include "glassrank/metrics/ndcg.h"

#include <limits>

#include "glassrank/metrics/dcg.h"
#include "glassrank/metrics/swap_delta.h"

namespace glassrank {
namespace {

class NdcgMetric final : public Metric {
 public:
  NdcgMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, convention.empty),
        dcg_({convention.gain, convention.gain_table}, spec.cutoff) {}

  double evaluate(const Ranking& ranking) const override {
    const double ideal =
        ranking.ideal ? *ranking.ideal : dcg_.ideal(ranking.listed, ranking.missed);
    return ideal == 0 ? std::numeric_limits<double>::quiet_NaN() : dcg_.of(ranking) / ideal;
  }
  std::optional<double> ideal(std::span<const float> listed,
                              std::span<const float> missed) const override {
    return dcg_.ideal(listed, missed);
  }
  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const override {
    const double ideal = dcg_.ideal(ranking.listed, ranking.missed);
    return ideal == 0 ? no_swap_deltas() : dcg_.swap_deltas(ranking, 1 / ideal);
  }

 private:
  Dcg dcg_;
};

}  // namespace

MetricInfo ndcg_info() {
  return {
      .name = "ndcg",
      .aliases = {},
      .doc = "normalised discounted cumulative gain: dcg divided by that of the ideal order",
      .params = {},
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<NdcgMetric>(spec, convention);
      }};
}

}  // namespace glassrank
