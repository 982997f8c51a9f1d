#pragma once
// What is measured while a model is trained: parameters that every method has under these names.
//
// All metrics are shown; one of them, the stop metric, stops training and chooses the best round.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/objectives/registry.h"

namespace glassrank {

// A round (an epoch) that is over, as the caller is shown it.
struct WatchedRound {
  std::string_view training;           // which one, if there are several: "bag 2 of 8"
  std::size_t round = 0;               // from 1
  std::span<const std::string> names;  // of the metrics: "valid ndcg@10"
  std::span<const double> metrics;
};

struct WatchParams {
  std::vector<std::string> metric = {"ndcg@10"};
  std::string stop_metric;  // empty: the first metric
  bool train_metric = true;
  Gain gain = {};  // of the metrics watched, and of the objectives that know one (objective_of)

  // What the caller brings; no parameters. Called from any thread.
  std::vector<std::shared_ptr<const OwnMetric>> own = {};  // metrics that may be named above
  std::function<bool(const WatchedRound& round)> after_round = {};  // returns whether to go on

  // Shows a round to the caller; false: the caller wants no more of them.
  bool goes_on(const WatchedRound& round) const { return !after_round || after_round(round); }

  void visit(ParamVisitor& visitor);
  // How the metrics are computed.
  Convention convention() const;
};

// Which parameters mean something only beside others.
std::span<const ParamUse> watch_uses();

// The objective's parameters, with the gain of the metrics: what is learned is what is watched.
ObjectiveParams objective_of(ObjectiveParams params, const WatchParams& watch);

// Throw Error{kUsage} for metrics that do not exist, for none at all, and for a stop_metric that is
// not among the metrics.
std::vector<MetricSpec> watched_metrics(const WatchParams& watch);
MetricSpec stop_metric(const WatchParams& watch);
// The column of the learning curve that stops training: "valid ndcg@10" for the set "valid".
std::string stopping_name(const WatchParams& watch, std::string_view set = "valid");

}  // namespace glassrank
