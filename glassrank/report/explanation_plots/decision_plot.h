#pragma once
// How the scores of several documents come about: each is a line from the base value at the bottom
// to its score at the top, moved to the right or left by one feature after the other (Lundberg's
// decision plot). Where lines part, a feature tells the documents apart.
//
// Up to seven documents have a colour and a name each; more are coloured by their score.

#include <cstddef>
#include <string>

#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct DecisionPlot {
  std::string title;
  AttributionTable table;
  FeatureOrder order = FeatureOrder::kImportance;  // the first at the top
  std::size_t most_features = 16;                  // the sum of the others comes first; 0: all
  double width = 760;
};

Picture draw(const DecisionPlot& chart);

}  // namespace glassrank
