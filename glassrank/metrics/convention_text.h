#pragma once
// A convention in one line, as far as it concerns some metrics:
//   NDCG: 2^g - 1, empty query = 1, as LightGBM
// to_text() of convention.h has every axis.

#include <span>
#include <string>

#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

// Ends with the tool that computes these metrics so: the preset's, or the first that agrees on
// every axis these metrics look at; without that where there is none.
std::string short_text(const Convention& convention, std::span<const MetricSpec> metrics);

}  // namespace glassrank
