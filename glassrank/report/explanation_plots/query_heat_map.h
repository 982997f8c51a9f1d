#pragma once
// A query at a glance: documents in rank order from left to right, features from top to bottom, the
// colour of a cell is what the feature gives the document; above it the score, and the grade where
// it is known.
//
// Features come by default in the order of what tells the documents apart (their spread), for what
// is the same in all documents does not move the order.

#include <cstddef>
#include <string>

#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct QueryHeatMap {
  std::string title;
  AttributionTable table;  // documents in rank order
  FeatureOrder order = FeatureOrder::kSpread;
  std::size_t most_features = 16;  // then the sum of the others; 0: all
  double width = 860;
};

Picture draw(const QueryHeatMap& chart);

}  // namespace glassrank
