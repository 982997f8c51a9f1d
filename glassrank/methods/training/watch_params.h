#pragma once
// What is measured while a model is trained: parameters that every method has under these names.
//
// All metrics are shown; one of them, the stop metric, stops training and chooses the best round.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

struct WatchParams {
  std::vector<std::string> metric = {"ndcg@10"};
  std::string stop_metric;  // empty: the first metric
  bool train_metric = true;
  Gain gain = {};  // of the metrics watched, and of the objectives that know one (objective_of)

  void visit(ParamVisitor& visitor);
  // How the metrics are computed.
  Convention convention() const;
};

// The objective's parameters, with the gain of the metrics: what is learned is what is watched.
ObjectiveParams objective_of(ObjectiveParams params, const WatchParams& watch);

// Throw Error{kUsage} for metrics that do not exist, for none at all, and for a stop_metric that is
// not among the metrics.
std::vector<MetricSpec> watched_metrics(const WatchParams& watch);
MetricSpec stop_metric(const WatchParams& watch);
// The column of the learning curve that stops training: "valid ndcg@10" for the set "valid".
std::string stopping_name(const WatchParams& watch, std::string_view set = "valid");

}  // namespace glassrank
