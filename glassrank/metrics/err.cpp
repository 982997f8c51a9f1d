#include "glassrank/metrics/err.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "glassrank/metrics/cascade.h"
#include "glassrank/metrics/swap_delta.h"

namespace glassrank {
namespace {

// What stopping at a rank is worth.
double at(std::size_t rank, double probability) {
  return probability / static_cast<double>(rank + 1);
}

// Let x and y be the satisfactions at ranks a < b, P_a the chance of reaching a, and M what the
// ranks between them would add for a reader who has just passed a. Exchanging adds
//   P_a * (y - x) * (1 / (a + 1) - M - Q / (b + 1))
// with Q the chance of passing the ranks between; below b everything stays. M and Q are quotients
// of prefix sums and products, unless the reader hardly passes a: then they are summed up.
class ErrSwapDeltas final : public SwapDeltas {
 public:
  ErrSwapDeltas(std::vector<double> satisfied, std::size_t cutoff)
      : satisfied_(std::move(satisfied)), cutoff_(cutoff), reach_(cutoff + 1), sums_(cutoff + 1) {
    reach_[0] = 1;
    for (std::size_t rank = 0; rank < cutoff_; ++rank) {
      sums_[rank + 1] = sums_[rank] + reach_[rank] * at(rank, satisfied_[rank]);
      reach_[rank + 1] = reach_[rank] * (1 - satisfied_[rank]);
    }
  }

 private:
  static constexpr double kHardlyPasses = 1e-3;

  double change_below(std::size_t above, std::size_t below) override {
    if (above >= cutoff_) return 0;
    const auto [between, passing] = between_ranks(above, std::min(below, cutoff_));
    const double last = below < cutoff_ ? at(below, passing) : 0;
    return (satisfied_[below] - satisfied_[above]) * (at(above, reach_[above]) - between - last);
  }

  struct Between {
    double sum;      // P_a * M
    double passing;  // P_a * Q
  };
  Between between_ranks(std::size_t above, std::size_t end) const {
    const double passes = 1 - satisfied_[above];
    if (passes > kHardlyPasses) {
      return {(sums_[end] - sums_[above + 1]) / passes, reach_[end] / passes};
    }
    Between between{.sum = 0, .passing = reach_[above]};
    for (std::size_t rank = above + 1; rank < end; ++rank) {
      between.sum += between.passing * at(rank, satisfied_[rank]);
      between.passing *= 1 - satisfied_[rank];
    }
    return between;
  }

  std::vector<double> satisfied_;  // of every rank
  std::size_t cutoff_;             // at most the number of documents
  std::vector<double> reach_;      // chance of reaching a rank
  std::vector<double> sums_;       // what the ranks before it add
};

class ErrMetric final : public Metric {
 public:
  ErrMetric(const MetricSpec& spec, const Convention& convention)
      : Metric(spec.cutoff, zero_unless_skipped(convention.empty)), reader_(spec, convention) {}

  double evaluate(const Ranking& ranking) const override {
    const auto stops = reader_.stop_probabilities(ranking);
    if (!stops) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::size_t rank = 0; rank < stops->size(); ++rank) {
      sum += at(rank, (*stops)[rank]);
    }
    return sum;
  }
  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const override {
    auto satisfied = reader_.satisfactions(ranking, kNoCutoff);
    if (!satisfied) return no_swap_deltas();
    const std::size_t cutoff = std::min(depth(), satisfied->size());
    return std::make_unique<ErrSwapDeltas>(*std::move(satisfied), cutoff);
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
