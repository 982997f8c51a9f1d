#pragma once
// A convention as far as it concerns some metrics: in one line,
//   NDCG: 2^g - 1, empty query = 1, as LightGBM
// and which choices are none of their concern.
// to_text() of convention.h has every axis.

#include <span>
#include <string>

#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

// Ends with the tool that computes these metrics so: the preset's, or the first that agrees on
// every axis these metrics look at; without that where there is none.
std::string short_text(const Convention& convention, std::span<const MetricSpec> metrics);

// Throws Error{kUsage} for a choice that none of the metrics looks at; no metrics: values that were
// computed elsewhere.
void refuse_unused(const ConventionChoice& choice, std::span<const MetricSpec> metrics);

}  // namespace glassrank
