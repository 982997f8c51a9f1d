#include <string_view>

#include "glassrank/metrics/compare.h"

namespace glassrank {
namespace {

template <typename E>
std::string_view enum_name(E value) {
  for (const auto& [text, choice] : EnumNames<E>::table()) {
    if (choice == value) return text;
  }
  return "";
}

// The parts of a comparison, with the systems' names in place of their indices.

void visit_interval(ResultVisitor& visitor, const Interval& interval, std::string_view doc) {
  visitor.field("interval", std::vector<double>{interval.low, interval.high}, doc);
}

struct NamedPair {
  std::string a;
  std::string b;
  PairComparison pair;

  void visit(ResultVisitor& visitor) const {
    visitor.field("a", a, "a system");
    visitor.field("b", b, "the one it is compared with");
    visitor.field("difference", pair.mean_difference, "of means, a - b");
    visit_interval(visitor, pair.interval, "low and high end of the difference's");
    visitor.field("statistic", pair.statistic, "t, W+ or q; the difference itself for fisher");
    visitor.field("p", pair.p.two_sided, "two-sided");
    visitor.field("p_greater", pair.p.greater, "one-sided: a is better");
    visitor.field("p_less", pair.p.less, "one-sided: a is worse");
    visitor.field("exact", pair.exact, "every possible outcome was counted");
    visitor.field("p_corrected", pair.corrected_p, "two-sided, over the pairs of the metric");
    visitor.field("significant", pair.significant, "the corrected p is at most alpha");
    visitor.field("num_wins", pair.counts.wins, "queries on which a is better");
    visitor.field("num_ties", pair.counts.ties, "on which both are equal");
    visitor.field("num_losses", pair.counts.losses, "on which b is");
  }
};

struct NamedMean {
  std::string system;
  SystemMean mean;
  std::vector<std::string> beats;

  void visit(ResultVisitor& visitor) const {
    visitor.field("system", system, "its name");
    visitor.field("mean", mean.mean, "over queries");
    visit_interval(visitor, mean.interval, "low and high end of the mean's");
    visitor.field("beats", beats, "the systems it is significantly better than");
  }
};

struct NamedMetric {
  MetricComparison metric;
  std::vector<NamedMean> systems;
  std::vector<NamedPair> pairs;

  void visit(ResultVisitor& visitor) const {
    visitor.field("metric", metric.metric, "its name");
    visitor.field("num_queries", metric.num_queries, "queries that count");
    visitor.field("num_skipped", metric.num_skipped, "queries some system has no value for");
    visitor.list("systems", systems, "their means");
    visitor.list("pairs", pairs, "their differences");
  }
};

NamedMetric named(const MetricComparison& metric, const std::vector<std::string>& names) {
  NamedMetric result{.metric = metric, .systems = {}, .pairs = {}};
  for (std::size_t s = 0; s < metric.systems.size(); ++s) {
    NamedMean each{.system = names[s], .mean = metric.systems[s], .beats = {}};
    for (std::size_t other = 0; other < metric.systems.size(); ++other) {
      if (other != s && metric.beats(s, other)) each.beats.push_back(names[other]);
    }
    result.systems.push_back(std::move(each));
  }
  for (const PairComparison& pair : metric.pairs) {
    result.pairs.push_back({.a = names[pair.a], .b = names[pair.b], .pair = pair});
  }
  return result;
}

}  // namespace

void Comparison::visit(ResultVisitor& visitor) const {
  const bool is_tukey = params.test == SignificanceTest::kTukey;
  visitor.field("test", enum_name(params.test), "of significance");
  visitor.field("correction", is_tukey ? "tukey" : enum_name(params.correction),
                "of p over the pairs of a metric");
  visitor.field("alpha", params.alpha, "a corrected p up to this is significant");
  visitor.field("permutations", params.permutations, "of the Fisher test");
  visitor.field("resamples", params.resamples, "number of resamples for bootstrap intervals");
  visitor.field("interval", enum_name(params.interval), "method for bootstrap intervals");
  visitor.field("blocks", params.blocks, "queries are blocks in the Tukey test");
  visitor.field("baseline", params.baseline, "the system all are compared with; empty: all pairs");
  visitor.field("convention_text", convention,
                "by which the metrics were computed, in words; empty: not known");
  visitor.field("seed", seed, "of permutations and resamples");
  visitor.field("systems", systems, "their names");
  std::vector<NamedMetric> of_metrics;
  for (const MetricComparison& metric : metrics) of_metrics.push_back(named(metric, systems));
  visitor.list("metrics", of_metrics, "one entry a metric");
}

}  // namespace glassrank
