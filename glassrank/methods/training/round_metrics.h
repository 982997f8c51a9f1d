#pragma once
// Metrics of every round, as the booster wants them.
//
// All metrics of one set come from one ranking: the first function of a set evaluates them all, the
// others hand out what it found. The booster calls them in order, from one thread.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/boosting/observers.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

// Named "train ndcg@10" for the set name "train". `set` as in RoundMetric.
std::vector<RoundMetric> round_metrics(const std::string& set_name, std::size_t set,
                                       std::span<const MetricSpec> specs,
                                       const Convention& convention = {});

}  // namespace glassrank
