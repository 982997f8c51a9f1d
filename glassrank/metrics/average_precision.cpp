#include "glassrank/metrics/average_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/metrics/binary_relevance.h"

namespace glassrank {
namespace {

// A run of equal scores: `size` documents from rank `begin` on, of which `relevant` are relevant,
// after `before` relevant ones.
struct Run {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t relevant = 0;
  std::size_t before = 0;
};

// Expected sum of precisions at the relevant documents among the run's first `places`.
double expected_precisions(const Run& run, std::size_t places) {
  if (run.relevant == 0) return 0;
  const double share = static_cast<double>(run.relevant) / static_cast<double>(run.size);
  const double others =
      run.size == 1 ? 0 : static_cast<double>(run.relevant - 1) / static_cast<double>(run.size - 1);
  double sum = 0;
  for (std::size_t j = 0; j < places; ++j) {
    const double hits = static_cast<double>(run.before + 1) + static_cast<double>(j) * others;
    sum += share * hits / static_cast<double>(run.begin + j + 1);
  }
  return sum;
}

// log of the binomial coefficient.
double log_choose(std::size_t n, std::size_t k) {
  const auto log_factorial = [](std::size_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

class AveragePrecisionMetric final : public BinaryMetric {
 public:
  AveragePrecisionMetric(const MetricSpec& spec, const Convention& convention)
      : BinaryMetric(spec, convention,
                     convention.map_empty == "same" ? convention.empty
                                                    : parse_empty_query(convention.map_empty)),
        divisor_(convention.ap_divisor),
        no_hits_(convention.map_no_hits) {
    if (convention.ties == Ties::kAverage && no_hits_ == NoHits::kEmpty) {
      fail(
          ErrorKind::kUsage,
          "ties = average is not defined for map with map_no_hits = empty; use map_no_hits = zero");
    }
  }

 protected:
  double evaluate_relevant(const Ranking& ranking, std::size_t num_relevant) const override {
    const std::size_t cutoff = std::min(depth(), ranking.grades.size());
    if (ranking.average_ties) return expected(ranking, cutoff, num_relevant);
    double sum = 0;
    std::size_t hits = 0;
    for (std::size_t rank = 0; rank < cutoff; ++rank) {
      if (!is_relevant(ranking.grades[rank])) continue;
      ++hits;
      sum += static_cast<double>(hits) / static_cast<double>(rank + 1);
    }
    if (hits == 0) return no_hits_ == NoHits::kZero ? 0 : std::numeric_limits<double>::quiet_NaN();
    return sum / divisor(num_relevant, hits);
  }

 private:
  double divisor(std::size_t num_relevant, std::size_t hits) const {
    switch (divisor_) {
      case ApDivisor::kRelevant:
        return static_cast<double>(num_relevant);
      case ApDivisor::kRelevantOrCutoff:
        return static_cast<double>(std::min(num_relevant, depth()));
      case ApDivisor::kHits:
        break;
    }
    return static_cast<double>(hits);
  }

  double expected(const Ranking& ranking, std::size_t cutoff, std::size_t num_relevant) const {
    double sum = 0;
    Run run;
    for (const std::size_t end : ranking.tie_ends) {
      if (run.begin >= cutoff) break;
      run.size = end - run.begin;
      run.relevant = count(ranking, run.begin, end);
      const std::size_t places = std::min(end, cutoff) - run.begin;
      if (divisor_ == ApDivisor::kHits && places < run.size) return by_hits(run, places, sum);
      sum += expected_precisions(run, places);
      run.before += run.relevant;
      run.begin = end;
    }
    return run.before == 0 && divisor_ == ApDivisor::kHits
               ? 0
               : sum / divisor(num_relevant, run.before);
  }

  // The cutoff leaves `places` of the last run; `sum` comes from the runs before it.
  static double by_hits(const Run& run, std::size_t places, double sum) {
    const std::size_t irrelevant = run.size - run.relevant;
    double value = 0;
    for (std::size_t hits = places > irrelevant ? places - irrelevant : 0;
         hits <= std::min(places, run.relevant); ++hits) {
      if (run.before + hits == 0) continue;
      const double probability =
          std::exp(log_choose(run.relevant, hits) + log_choose(irrelevant, places - hits) -
                   log_choose(run.size, places));
      const Run seen{.begin = run.begin, .size = places, .relevant = hits, .before = run.before};
      value += probability * (sum + expected_precisions(seen, places)) /
               static_cast<double>(run.before + hits);
    }
    return value;
  }

  ApDivisor divisor_;
  NoHits no_hits_;
};

}  // namespace

MetricInfo average_precision_info() {
  static constexpr std::string_view kAliases[] = {"ap"};
  static constexpr MetricParam kParams[] = {kRelevantParam};
  return {
      .name = "map",
      .aliases = kAliases,
      .doc = "average precision: mean precision at the ranks of the relevant documents",
      .params = kParams,
      .make = [](const MetricSpec& spec, const Convention& convention) -> std::unique_ptr<Metric> {
        return std::make_unique<AveragePrecisionMetric>(spec, convention);
      }};
}

}  // namespace glassrank
