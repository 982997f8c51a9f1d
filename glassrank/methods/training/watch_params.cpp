#include "glassrank/methods/training/watch_params.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

void WatchParams::visit(ParamVisitor& visitor) {
  visitor.section("training");
  visitor.field("metric", metric, "metrics to watch during training");
  visitor.section("advanced");
  visitor.field("stop_metric", stop_metric,
                "the metric that stops training and chooses the best round; empty is the first");
  visitor.field("train_metric", train_metric, "also watch the metrics of the training data");
  visitor.field("gain", gain.kind,
                "gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the "
                "grade, or gain_table");
  visitor.field("gain_table", gain.table, "gains of grades 0, 1, 2, ... for gain = table",
                kNotNegative);
}

std::span<const ParamUse> watch_uses() {
  static const std::vector<ParamUse> uses = {{"gain_table", "gain", {"table"}}};
  return uses;
}

Convention WatchParams::convention() const { return {.gain = gain.kind, .gain_table = gain.table}; }

ObjectiveParams objective_of(ObjectiveParams params, const WatchParams& watch) {
  params.lambdarank.gain = watch.gain;
  return params;
}

namespace {

MetricSpec watched_metric(const WatchParams& watch, const std::string& text) {
  for (const auto& own : watch.own) {
    if (own->name == text) return {.name = text, .params = {}, .cutoff = kNoCutoff, .own = own};
  }
  return parse_metric(text);
}

}  // namespace

std::vector<MetricSpec> watched_metrics(const WatchParams& watch) {
  if (watch.metric.empty()) fail(ErrorKind::kUsage, "metric: at least one is needed");
  std::vector<MetricSpec> specs;
  for (const std::string& text : watch.metric) specs.push_back(watched_metric(watch, text));
  return specs;
}

MetricSpec stop_metric(const WatchParams& watch) {
  const std::vector<MetricSpec> specs = watched_metrics(watch);
  if (watch.stop_metric.empty()) return specs.front();
  const MetricSpec wanted = watched_metric(watch, watch.stop_metric);
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
