#include "glassrank/metrics/bpref.h"

#include <algorithm>

#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

class BprefMetric final : public BinaryMetric {
 public:
  BprefMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention, convention.empty) {}

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t num_relevant) const override {
    const std::size_t most = std::min(num_others(ranking), num_relevant);
    const auto term = [&](std::size_t above) {
      if (above == 0) return 1.0;
      return 1 - static_cast<double>(std::min(above, num_relevant)) / static_cast<double>(most);
    };
    double sum = 0;
    std::size_t above = 0;
    const auto add = [&](std::size_t begin, std::size_t end) {
      const std::size_t num_here = count_others(ranking, begin, end);
      double mean = 0;
      for (std::size_t n = above; n <= above + num_here; ++n) mean += term(n);
      mean /= static_cast<double>(num_here + 1);
      sum += mean * static_cast<double>(count(ranking, begin, end));
      above += num_here;
    };
    if (ranking.average_ties) {
      for_each_tie_group(ranking, ranking.grades.size(), add);
    } else {
      for (std::size_t rank = 0; rank < ranking.grades.size(); ++rank) add(rank, rank + 1);
    }
    return sum / static_cast<double>(num_relevant);
  }

 private:
  bool is_other(float grade) const { return grade >= 0 && !is_relevant(grade); }

  std::size_t count_others(const Ranking& ranking, std::size_t begin, std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t rank = begin; rank < end; ++rank) {
      count += ranking.is_judged(rank) && is_other(ranking.grades[rank]) ? 1 : 0;
    }
    return count;
  }
  std::size_t num_others(const Ranking& ranking) const {
    const auto missed =
        std::ranges::count_if(ranking.missed, [&](float grade) { return is_other(grade); });
    return count_others(ranking, 0, ranking.grades.size()) + static_cast<std::size_t>(missed);
  }
};

}  // namespace

MetricInfo bpref_info() {
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "bpref",
      .aliases = {},
      .doc = "share of judged documents that are not relevant and stand below relevant ones",
      .params = kParams,
      .has_cutoff = false,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<BprefMetric>(spec, convention);
      }};
}

}  // namespace glassrank
