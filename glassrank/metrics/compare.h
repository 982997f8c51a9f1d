#pragma once
// Several systems on the same queries: means with intervals, and which differences are real.
//
// For every metric and every pair (a before b; with a baseline only the pairs with it, baseline
// second): the difference of means a - b, its interval, one- and two-sided p, the two-sided p
// corrected over the pairs of that metric, win/tie/loss. A pair is significant when the corrected p
// is at most alpha. Metrics are separate families: each answers its own question.
//   intervals are at level 1 - alpha, per pair: Student's for `student`, Tukey's simultaneous one
//   for `tukey`, bootstrap otherwise; means always have bootstrap intervals
//   Tukey's test corrects for the number of pairs by itself; `correction` does not apply to it
// A query counts for a metric when every system has a value for it (NaN is: none).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/metrics/bootstrap.h"
#include "glassrank/metrics/multiple_testing.h"
#include "glassrank/metrics/paired.h"

namespace glassrank {

enum class SignificanceTest { kFisher, kStudent, kWilcoxon, kTukey };
template <>
struct EnumNames<SignificanceTest> {
  static std::span<const std::pair<std::string_view, SignificanceTest>> table();
};

struct CompareParams {
  SignificanceTest test = SignificanceTest::kFisher;
  Correction correction = Correction::kHolm;
  double alpha = 0.05;
  std::uint64_t permutations = 100'000;  // of the Fisher test
  std::uint64_t resamples = 10'000;      // of bootstrap intervals
  IntervalMethod interval = IntervalMethod::kBca;
  bool blocks = true;         // Tukey: queries are blocks
  std::string baseline = {};  // compare every system with this one only; empty: all pairs

  void visit(ParamVisitor& visitor);
};
// Which of them only some tests look at.
std::span<const ParamUse> compare_uses();

// Per-query values of every system for one metric.
struct SystemValues {
  std::string metric;
  std::vector<std::vector<double>> values;  // [system][query]
};

struct SystemMean {
  double mean = 0.0;
  Interval interval = {};
};

struct PairComparison {
  std::size_t a = 0;
  std::size_t b = 0;
  double mean_difference = 0.0;  // a - b
  Interval interval = {};
  double statistic = 0.0;  // t, W+ or q; the difference of means itself for fisher
  PValues p = {};          // one-sided p are NaN for tukey, which has none
  bool exact = false;      // fisher, wilcoxon: every possible outcome was counted
  double corrected_p = 1.0;
  bool significant = false;
  WinTieLoss counts = {};
};

struct MetricComparison {
  std::string metric;
  std::size_t num_queries = 0;
  std::size_t num_skipped = 0;
  std::vector<SystemMean> systems;
  std::vector<PairComparison> pairs;

  // The pair of these two systems in either order, or null when it was not compared.
  const PairComparison* find(std::size_t a, std::size_t b) const;
  // Whether system a is significantly better than b.
  bool beats(std::size_t a, std::size_t b) const;
};

struct Comparison {
  CompareParams params;
  std::string convention;             // of the metrics; empty when the values came from elsewhere
  std::string short_convention = {};  // the same in a few words, if texts are to have these
  std::uint64_t seed = 0;
  std::vector<std::string> systems;
  std::vector<MetricComparison> metrics;

  void visit(ResultVisitor& visitor) const;
};

// Throws Error{kUsage}: fewer than two systems, two with one name, an unknown baseline.
Comparison compare_systems(std::span<const std::string> systems,
                           std::span<const SystemValues> metrics, const CompareParams& params,
                           const Context& context);

}  // namespace glassrank
