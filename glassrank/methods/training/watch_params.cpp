#include "glassrank/methods/training/watch_params.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

void WatchParams::visit(ParamVisitor& visitor) {
  visitor.section("training");
  visitor.field("metric", metric, "what is watched during training");
  visitor.field("stop_metric", stop_metric,
                "the metric that stops training and chooses the best round; empty is the first");
  visitor.field("train_metric", train_metric, "watch the training data too");
  visitor.section("advanced");
  visitor.field("gain", gain.kind,
                "gain of a grade in dcg and ndcg, watched and learned: 2^grade - 1, grade, or "
                "gain_table");
  visitor.field("gain_table", gain.table, "gains of grades 0, 1, 2, ... for gain = table",
                kNotNegative);
}

Convention WatchParams::convention() const { return {.gain = gain.kind, .gain_table = gain.table}; }

ObjectiveParams objective_of(ObjectiveParams params, const WatchParams& watch) {
  params.lambdarank.gain = watch.gain;
  return params;
}

std::vector<MetricSpec> watched_metrics(const WatchParams& watch) {
  if (watch.metric.empty()) fail(ErrorKind::kUsage, "metric: at least one is needed");
  return parse_metrics(watch.metric);
}

MetricSpec stop_metric(const WatchParams& watch) {
  const std::vector<MetricSpec> specs = watched_metrics(watch);
  if (watch.stop_metric.empty()) return specs.front();
  const MetricSpec wanted = parse_metric(watch.stop_metric);
  if (std::ranges::find(specs, wanted) == specs.end()) {
    fail(ErrorKind::kUsage, "stop_metric {} is not among the metrics watched: {}",
         watch.stop_metric, fmt::join(watch.metric, ", "));
  }
  return wanted;
}

std::string stopping_name(const WatchParams& watch, std::string_view set) {
  return fmt::format("{} {}", set, to_text(stop_metric(watch)));
}

}  // namespace glassrank
