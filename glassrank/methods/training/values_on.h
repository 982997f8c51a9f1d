#pragma once
// How good a study's model is on data: one metric, query by query, with its mean.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// Throws Error{kUsage} for a metric that does not exist.
MetricValues values_on(const Dataset& data, const Forest& forest, const std::string& metric,
                       const Context& context);

}  // namespace glassrank
