#include "glassrank/metrics/average_precision.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/metrics/binary_relevance.h"
#include "glassrank/metrics/swap_delta.h"

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

  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking) const override;

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
    return mean_precision(sum, num_relevant, hits);
  }

 private:
  // From the sum of precisions at the hits.
  double mean_precision(double sum, std::size_t num_relevant, std::size_t hits) const {
    if (hits == 0) return no_hits_ == NoHits::kZero ? 0 : std::numeric_limits<double>::quiet_NaN();
    return sum / divisor(num_relevant, hits);
  }

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

// Moving a relevant document from rank b up to rank a (an irrelevant one) adds
//   hits_a / (a + 1) - hits_b / (b + 1) + sum over relevant r between them of 1 / (r + 1)
// to the sum of precisions, where hits_r counts relevant documents down to rank r, hits_a with the
// moved one; ranks below the cutoff add nothing. Moving it down is the opposite.
class AveragePrecisionSwapDeltas final : public SwapDeltas {
 public:
  // `value` gives the metric from the sum of precisions and the hits above the cutoff.
  using Value = std::function<double(double sum, std::size_t hits)>;
  AveragePrecisionSwapDeltas(std::vector<char> relevant, std::size_t cutoff, Value value)
      : relevant_(std::move(relevant)),
        hits_(relevant_.size() + 1),
        reciprocals_(relevant_.size() + 1),
        cutoff_(cutoff),
        value_(std::move(value)) {
    for (std::size_t rank = 0; rank < relevant_.size(); ++rank) {
      const bool counts = relevant_[rank] != 0 && rank < cutoff_;
      hits_[rank + 1] = hits_[rank] + (relevant_[rank] != 0 ? 1 : 0);
      reciprocals_[rank + 1] =
          reciprocals_[rank] + (counts ? 1.0 / static_cast<double>(rank + 1) : 0);
      if (counts) sum_ += precision_at(rank, hits_[rank + 1]);
    }
    now_ = value_(sum_, hits_[cutoff_]);
  }

 private:
  double change_below(std::size_t above, std::size_t below) override {
    if (relevant_[above] == relevant_[below]) return 0;
    const bool rises = relevant_[below] != 0;
    const double moved = precision_at(above, hits_[above + 1] + (rises ? 1 : 0)) -
                         precision_at(below, hits_[below + 1]) + reciprocals_[below] -
                         reciprocals_[above + 1];
    std::size_t hits = hits_[cutoff_];
    if (above < cutoff_ && below >= cutoff_) hits = rises ? hits + 1 : hits - 1;
    return value_(sum_ + (rises ? moved : -moved), hits) - now_;
  }

  double precision_at(std::size_t rank, std::size_t hits) const {
    return rank < cutoff_ ? static_cast<double>(hits) / static_cast<double>(rank + 1) : 0;
  }

  std::vector<char> relevant_;       // by rank
  std::vector<std::size_t> hits_;    // relevant ones among the first ...
  std::vector<double> reciprocals_;  // sum of 1 / (rank + 1) over relevant ones among the first ...
  std::size_t cutoff_;               // at most the number of documents
  Value value_;
  double sum_ = 0;
  double now_ = 0;
};

std::unique_ptr<SwapDeltas> AveragePrecisionMetric::swap_deltas(const Ranking& ranking) const {
  const std::size_t relevant_documents = num_relevant(ranking);
  if (relevant_documents == 0) return no_swap_deltas();
  std::vector<char> relevant;
  for (const float grade : ranking.grades) relevant.push_back(is_relevant(grade) ? 1 : 0);
  const std::size_t cutoff = std::min(depth(), relevant.size());
  return std::make_unique<AveragePrecisionSwapDeltas>(
      std::move(relevant), cutoff, [this, relevant_documents](double sum, std::size_t hits) {
        const double value = mean_precision(sum, relevant_documents, hits);
        return std::isnan(value) ? empty().value : value;
      });
}

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
