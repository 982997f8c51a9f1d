#include <cmath>
#include <string_view>

#include "glassrank/base/json.h"
#include "glassrank/metrics/compare_report.h"

namespace glassrank {
namespace {

template <typename E>
std::string_view enum_name(E value) {
  for (const auto& [text, choice] : EnumNames<E>::table()) {
    if (choice == value) return text;
  }
  return "";
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval_json(const Interval& interval) {
  return Json::array({number(interval.low), number(interval.high)});
}

Json pair_json(const Comparison& comparison, const PairComparison& pair) {
  return {{"a", comparison.systems[pair.a]},
          {"b", comparison.systems[pair.b]},
          {"difference", number(pair.mean_difference)},
          {"interval", interval_json(pair.interval)},
          {"statistic", number(pair.statistic)},
          {"p", number(pair.p.two_sided)},
          {"p_greater", number(pair.p.greater)},
          {"p_less", number(pair.p.less)},
          {"exact", pair.exact},
          {"p_corrected", number(pair.corrected_p)},
          {"significant", pair.significant},
          {"wins", pair.counts.wins},
          {"ties", pair.counts.ties},
          {"losses", pair.counts.losses}};
}

Json metric_json(const Comparison& comparison, const MetricComparison& metric) {
  Json systems = Json::array();
  for (std::size_t s = 0; s < metric.systems.size(); ++s) {
    Json beats = Json::array();
    for (std::size_t other = 0; other < metric.systems.size(); ++other) {
      if (other != s && metric.beats(s, other)) beats.push_back(comparison.systems[other]);
    }
    systems.push_back({{"system", comparison.systems[s]},
                       {"mean", number(metric.systems[s].mean)},
                       {"interval", interval_json(metric.systems[s].interval)},
                       {"beats", std::move(beats)}});
  }
  Json pairs = Json::array();
  for (const PairComparison& pair : metric.pairs) pairs.push_back(pair_json(comparison, pair));
  return {{"metric", metric.metric},
          {"queries", metric.num_queries},
          {"skipped_queries", metric.num_skipped},
          {"systems", std::move(systems)},
          {"pairs", std::move(pairs)}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  const CompareParams& params = comparison.params;
  Json metrics = Json::array();
  for (const MetricComparison& metric : comparison.metrics) {
    metrics.push_back(metric_json(comparison, metric));
  }
  const bool is_tukey = params.test == SignificanceTest::kTukey;
  Json json = {{"test", enum_name(params.test)},
               {"correction", is_tukey ? "tukey" : enum_name(params.correction)},
               {"alpha", params.alpha},
               {"permutations", params.permutations},
               {"resamples", params.resamples},
               {"interval", enum_name(params.interval)},
               {"blocks", params.blocks},
               {"baseline", params.baseline},
               {"convention", comparison.convention},
               {"seed", comparison.seed},
               {"systems", comparison.systems},
               {"metrics", std::move(metrics)}};
  return json.dump(2) + "\n";
}

}  // namespace glassrank
