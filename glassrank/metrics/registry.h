#pragma once
// Every metric by name.

#include <memory>
#include <span>
#include <string_view>

#include "glassrank/metrics/metric.h"

namespace glassrank {

// All of them, in the order in which they are listed.
std::span<const MetricInfo> metric_table();

// By name or alias, in any case; throws Error{kUsage} with the nearest name.
const MetricInfo& find_metric(std::string_view name);

std::unique_ptr<Metric> make_metric(const MetricSpec& spec, const Convention& convention);

}  // namespace glassrank
