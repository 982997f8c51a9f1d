#pragma once
// Pictures of an additive model's effects: what a score gets for a feature's value.
//
// A curve is a step line with a band of two standard deviations where the model has them, the share
// of rows in every cell below it where weights are known, and missing values in a column of their
// own. The x axis shows the cells that hold the middle 99 % of the rows, on a logarithmic scale
// where the edges are positive and span more than 300 to 1; it says what lies outside. A surface
// has cells of equal size between the edges of its two features, blue below 0 and orange above,
// pale where the training data have no row; missing values in a row and column apart.
// An edge within 1e-35 of 0 is drawn at 0: it is how LightGBM writes the border between 0 and what
// is above, and an axis down to 1e-35 would show nothing else.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

// Where an edge stands on an axis.
double place_of_edge(float edge);

// `names` has one name per feature of the model.
Picture draw_effect(const Gam& gam, std::size_t effect, std::span<const std::string> names);

// The two kinds; `names` are those of the effect's features.
Picture draw_curve(const GamEffect& effect, const std::string& name,
                   std::string_view y_label = "effect on the score");
Picture draw_surface(const GamEffect& effect, const std::string& first, const std::string& second);

}  // namespace glassrank
