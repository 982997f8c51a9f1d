#pragma once
// What orders documents, over all queries and in groups of them: the size of each feature's
// attributions within queries. Up to six groups are bars side by side, more are the columns of a
// heat map.

#include <cstddef>
#include <string>

#include "glassrank/explain/global/attribution_summary.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct SummaryPlot {
  std::string title;
  const AttributionSummary& summary;
  std::size_t most_features = 16;  // by all queries together
};

Picture draw(const SummaryPlot& plot);

}  // namespace glassrank
