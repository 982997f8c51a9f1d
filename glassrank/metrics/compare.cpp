#include "glassrank/metrics/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/metrics/tukey.h"
#include "glassrank/metrics/wilcoxon.h"

namespace glassrank {
namespace {

using Values = std::vector<std::vector<double>>;  // [system][query]

// The pairs to compare, in order.
std::vector<PairComparison> make_pairs(std::span<const std::string> systems,
                                       const std::string& baseline) {
  std::vector<PairComparison> pairs;
  if (baseline.empty()) {
    for (std::size_t a = 0; a < systems.size(); ++a) {
      for (std::size_t b = a + 1; b < systems.size(); ++b) pairs.push_back({.a = a, .b = b});
    }
    return pairs;
  }
  const auto found = std::ranges::find(systems, baseline);
  if (found == systems.end()) {
    throw Error(ErrorKind::kUsage, unknown_name_message("baseline", baseline, systems));
  }
  const auto b = static_cast<std::size_t>(found - systems.begin());
  for (std::size_t a = 0; a < systems.size(); ++a) {
    if (a != b) pairs.push_back({.a = a, .b = b});
  }
  return pairs;
}

// The queries for which every system has a value.
Values shared_queries(const Values& values) {
  Values shared(values.size());
  for (std::size_t q = 0; q < values.front().size(); ++q) {
    const auto missing = [q](const std::vector<double>& system) { return std::isnan(system[q]); };
    if (std::ranges::any_of(values, missing)) continue;
    for (std::size_t s = 0; s < values.size(); ++s) shared[s].push_back(values[s][q]);
  }
  return shared;
}

void test_pair(std::span<const double> a, std::span<const double> b, const CompareParams& params,
               const Context& context, PairComparison& pair) {
  switch (params.test) {
    case SignificanceTest::kFisher: {
      const FisherResult result = fisher_randomisation(a, b, params.permutations, context);
      pair.statistic = result.mean_difference;
      pair.exact = result.exact;
      pair.p = result.p;
      return;
    }
    case SignificanceTest::kStudent: {
      const StudentResult result = paired_t_test(a, b, 1 - params.alpha);
      pair.statistic = result.t;
      pair.p = result.p;
      pair.interval = result.interval;
      return;
    }
    case SignificanceTest::kWilcoxon: {
      const WilcoxonResult result = wilcoxon_signed_rank(a, b);
      pair.statistic = result.rank_sum;
      pair.exact = result.exact;
      pair.p = result.p;
      return;
    }
    case SignificanceTest::kTukey:
      return;  // all pairs at once: see test_all_pairs
  }
}

void test_all_pairs(const Values& values, const CompareParams& params,
                    std::span<PairComparison> pairs) {
  const TukeyResult result =
      tukey_hsd(values, {.blocks = params.blocks, .level = 1 - params.alpha});
  for (PairComparison& pair : pairs) {
    const auto found = std::ranges::find_if(result.pairs, [&](const TukeyPair& tukey) {
      return std::minmax(tukey.a, tukey.b) == std::minmax(pair.a, pair.b);
    });
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    pair.statistic = found->q;
    pair.p = {.two_sided = found->p, .greater = kNone, .less = kNone};
    pair.interval = found->interval;
    if (found->a != pair.a) pair.interval = {-found->interval.high, -found->interval.low};
  }
}

void correct(const CompareParams& params, std::span<PairComparison> pairs) {
  std::vector<double> p;
  for (const PairComparison& pair : pairs) p.push_back(pair.p.two_sided);
  const bool is_corrected = params.test == SignificanceTest::kTukey;
  p = correct_p_values(p, is_corrected ? Correction::kNone : params.correction);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].corrected_p = p[i];
    pairs[i].significant = p[i] <= params.alpha;
  }
}

MetricComparison compare_metric(const SystemValues& input, std::vector<PairComparison> pairs,
                                const CompareParams& params, const Context& context) {
  for (const auto& values : input.values) {
    if (values.size() == input.values.front().size()) continue;
    fail(ErrorKind::kInput, "paired values must cover the same queries: {} against {}",
         input.values.front().size(), values.size());
  }
  const Values values = shared_queries(input.values);
  MetricComparison result{.metric = input.metric,
                          .num_queries = values.front().size(),
                          .num_skipped = input.values.front().size() - values.front().size(),
                          .systems = {},
                          .pairs = std::move(pairs)};
  const BootstrapMeans bootstrap(values, params.resamples, context);
  const IntervalParams interval{.method = params.interval, .level = 1 - params.alpha};
  for (std::size_t s = 0; s < values.size(); ++s) {
    result.systems.push_back(
        {.mean = mean_of(values[s]), .interval = bootstrap.mean_interval(s, interval)});
  }
  for (PairComparison& pair : result.pairs) {
    pair.mean_difference = mean_of(paired_differences(values[pair.a], values[pair.b]));
    pair.interval = bootstrap.difference_interval(pair.a, pair.b, interval);
    pair.counts = count_wins(values[pair.a], values[pair.b]);
    test_pair(values[pair.a], values[pair.b], params, context, pair);
  }
  if (params.test == SignificanceTest::kTukey) test_all_pairs(values, params, result.pairs);
  correct(params, result.pairs);
  return result;
}

}  // namespace

std::span<const std::pair<std::string_view, SignificanceTest>>
EnumNames<SignificanceTest>::table() {
  static constexpr std::array<std::pair<std::string_view, SignificanceTest>, 4> kTable{{
      {"fisher", SignificanceTest::kFisher},
      {"student", SignificanceTest::kStudent},
      {"wilcoxon", SignificanceTest::kWilcoxon},
      {"tukey", SignificanceTest::kTukey},
  }};
  return kTable;
}

std::span<const ParamUse> compare_uses() {
  static const std::vector<ParamUse> uses = {
      {"permutations", "test", {"fisher"}},
      {"correction", "test", {"fisher", "student", "wilcoxon"}},
      {"blocks", "test", {"tukey"}}};
  return uses;
}

void CompareParams::visit(ParamVisitor& visitor) {
  visitor.field("test", test, "significance test");
  visitor.field("correction", correction,
                "correction of the p values of a metric for the number of pairs");
  visitor.field("alpha", alpha,
                "significance level for corrected p values; intervals have level 1 - alpha",
                Range{.low = 0, .high = 1, .open_low = true, .open_high = true});
  visitor.field("permutations", permutations, "number of random swaps in Fisher's test",
                Range{.low = 1, .high = kMostPermutations});
  visitor.field("resamples", resamples, "number of resamples for bootstrap intervals",
                Range{.low = 1, .high = 1e8});
  visitor.field("interval", interval, "method for bootstrap intervals");
  visitor.field(
      "blocks", blocks,
      "treat queries as blocks in Tukey's test; without blocks it matches ranx and scipy");
  visitor.field("baseline", baseline, "compare with this system only; empty compares all pairs",
                ParamStyle{.value_name = "NAME"});
}

const PairComparison* MetricComparison::find(std::size_t a, std::size_t b) const {
  const auto found = std::ranges::find_if(pairs, [&](const PairComparison& pair) {
    return std::minmax(pair.a, pair.b) == std::minmax(a, b);
  });
  return found == pairs.end() ? nullptr : &*found;
}

bool MetricComparison::beats(std::size_t a, std::size_t b) const {
  const PairComparison* pair = find(a, b);
  if (pair == nullptr || !pair->significant) return false;
  return pair->a == a ? pair->mean_difference > 0 : pair->mean_difference < 0;
}

Comparison compare_systems(std::span<const std::string> systems,
                           std::span<const SystemValues> metrics, const CompareParams& params,
                           const Context& context) {
  check_params(params);
  if (systems.size() < 2) {
    fail(ErrorKind::kUsage, "a comparison needs two or more systems, here is {}", systems.size());
  }
  std::set<std::string> names;
  for (const std::string& name : systems) {
    if (!names.insert(name).second) {
      fail(ErrorKind::kUsage, "two systems are called '{}'; names must differ", name);
    }
  }
  Comparison comparison{.params = params,
                        .convention = {},
                        .seed = context.seed,
                        .systems = {systems.begin(), systems.end()},
                        .metrics = {}};
  const std::vector<PairComparison> pairs = make_pairs(systems, params.baseline);
  for (const SystemValues& input : metrics) {
    try {
      comparison.metrics.push_back(compare_metric(input, pairs, params, context));
    } catch (Error& error) {
      error.add_context(input.metric);
      throw;
    }
  }
  return comparison;
}

}  // namespace glassrank
