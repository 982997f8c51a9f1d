#pragma once
// The forces on all documents of a query side by side, in rank order: every column stacks what
// raises a document's score above the base value and what lowers it below; a dot is the score.
//
// The features that differ most between the documents have a colour each, all others are grey.

#include <cstddef>
#include <string>

#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct StackedForce {
  std::string title;
  AttributionTable table;  // documents in rank order
  FeatureOrder order = FeatureOrder::kSpread;
  std::size_t most_features = 6;  // with a colour of their own; at most 6
  double width = 860;
  double height = 420;
};

Picture draw(const StackedForce& chart);

}  // namespace glassrank
