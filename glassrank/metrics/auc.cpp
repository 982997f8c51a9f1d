#include "glassrank/metrics/auc.h"

#include <limits>

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

class AucMetric final : public BinaryMetric {
 public:
  AucMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, convention.empty) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t /*num_relevant*/) const override {
    const std::size_t size = ranking.grades.size();
    const auto relevant = static_cast<double>(count(ranking, 0, size));
    const double pairs = relevant * (static_cast<double>(size) - relevant);
    if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
    double above = 0;  // relevant documents so far
    double right = 0;
    const auto add_run = [&](std::size_t begin, std::size_t end) {
      const auto run_relevant = static_cast<double>(count(ranking, begin, end));
      const double run_irrelevant = static_cast<double>(end - begin) - run_relevant;
      right += run_irrelevant * (above + run_relevant / 2);
      above += run_relevant;
    };
    if (ranking.average_ties) {
      for_each_tie_group(ranking, size, add_run);
    } else {
      for (std::size_t rank = 0; rank < size; ++rank) add_run(rank, rank + 1);
    }
    return right / pairs;
  }
};

}  // namespace

MetricInfo auc_info() {
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "auc",
      .aliases = {},
      .doc = "share of (relevant, irrelevant) pairs in the right order, within the query",
      .params = kParams,
      .has_cutoff = false,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<AucMetric>(spec, convention);
      }};
}

}  // namespace glassrank
