#pragma once
// What every feature does to every document (Lundberg's summary plot): a row for each feature, a
// dot for each document at its attribution, coloured by where the feature's value stands among all.
//
// Dots of one place stack up to both sides of the row's middle, low values below. Where more
// documents meet than a row has room for, every dot of the row stands for several neighbours by
// value, and the picture says so: heights stay comparable and its size does not grow with the data.

#include <cstddef>
#include <string>

#include "glassrank/report/explanation_plots/attribution_table.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct Beeswarm {
  std::string title;
  AttributionTable table;
  FeatureOrder order = FeatureOrder::kImportance;
  std::size_t most_features = 16;  // then the sum of the others; 0: all
  std::string x_label = "what the feature adds to the score";
  double width = 760;
};

Picture draw(const Beeswarm& chart);

}  // namespace glassrank
