#pragma once
// Pictures of an additive model's effects: what a score gets for a feature's value.
//
// All curves of a model have one y scale, all surfaces one scale of colours: what is small looks
// small. A curve is a step line with a band of two standard deviations where the model has them,
// where the rows lie below it where weights are known (equal slices of the axis, heights by square
// root, so that a common value does not flatten all others), and missing values, if there are any,
// in a column of their own. With two cells only it is two dots with intervals. The x axis shows the
// cells that hold the middle 99 % of the rows, on a logarithmic scale where the edges are positive
// and span more than 300 to 1; it says what lies outside. A surface has cells of equal size between
// the edges of its two features, blue below 0 and orange above, pale where the training data have
// no row; missing values in a row and column apart. An edge within 1e-35 of 0 is drawn at 0: it is
// how LightGBM writes the border between 0 and what is above, and an axis down to 1e-35 would show
// nothing else.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

// The values that a feature has in data.
struct FeatureRange {
  double low = 0;
  double high = 0;
  bool is_switch = false;  // 0 and 1 are the only ones
};
// By feature; one without values is infinite: no limit.
std::vector<FeatureRange> ranges_of(const Dataset& data);

// Where an edge stands on an axis.
double place_of_edge(float edge);

// With what it adds at least and at most in its title, and how to read it below. `names` has one
// name per feature of the model, as has `ranges`, which may be empty: not known.
Picture draw_effect(const Gam& gam, std::size_t effect, std::span<const std::string> names,
                    std::span<const FeatureRange> ranges = {});

// How a curve is drawn.
struct CurveLook {
  std::string title = {};  // empty: the feature's name
  std::string_view y_label = "effect on the score";
  std::optional<Span> scale = {};  // of the y axis; none: its own
  // Of the data, which a curve does not leave; the bars of a switch are called "0" and "1".
  std::optional<FeatureRange> range = {};
};

// The two kinds; names are those of the effect's features.
Picture draw_curve(const GamEffect& effect, const std::string& name, const CurveLook& look = {});
Picture draw_surface(const GamEffect& effect, const std::string& first, const std::string& second,
                     double largest = 0, const std::string& title = {});

// What every curve of the model needs, and the largest amount of its surfaces.
Span curve_scale(const Gam& gam);
double surface_scale(const Gam& gam);
// Whether a curve has two cells with an edge between them that can be drawn: 0 and 1, mostly.
bool has_two_cells(const GamEffect& effect);
Picture draw_two_cells(const GamEffect& effect, const std::string& name, const CurveLook& look);
// Of the values that a curve shows, with their bands.
Span span_of_curve(const GamEffect& effect);
// A missing value that no row has says nothing, and may be far from everything else.
bool shows_missing(const GamEffect& effect);

}  // namespace glassrank
