#pragma once
// Expected reciprocal rank (Chapelle et al. 2009): the expected 1 / (rank + 1) at which the cascade
// reader (cascade.h) stops, 0 if she never does. Not normalised.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo err_info();

}  // namespace glassrank
