#pragma once
// Pictures of an additive model's effects: what a score gets for a feature's value.
//
// All curves of a model have one y scale, all surfaces one scale of colours: what is small looks
// small. A curve is a step line with a band of two standard deviations where the model has them,
// where the rows lie below it where weights are known (equal slices of the axis, heights by square
// root, so that a common value does not flatten all others), and missing values, if there are any,
// in a column of their own. With two cells only it is two dots with intervals. A surface has cells
// as wide as their ranges, blue below 0 and orange above, pale where the training data have no row;
// switches have two cells, "0" and "1", categories one each; missing values, if there are any, lie
// in a row and column apart. Which part of an axis is shown: shown_axis.h.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/report/plots/shown_axis.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

// The values that features have in data. By feature; one without values is infinite: no limit.
std::vector<FeatureRange> ranges_of(const Dataset& data);

// With what it adds at least and at most in its title, and how to read it below. `names` has one
// name per feature of the model, as has `ranges`, which may be empty: not known.
Picture draw_effect(const Gam& gam, std::size_t effect, std::span<const std::string> names,
                    std::span<const FeatureRange> ranges = {});

// "price adds -0.20 to +0.15 to the score".
std::string effect_title(const std::string& name, const Span& span);

// How a curve is drawn.
struct CurveLook {
  std::string title = {};  // empty: the feature's name
  std::string_view y_label = "effect on the score";
  std::optional<Span> scale = {};  // of the y axis; none: its own
  // Of the data, which a curve does not leave; the bars of a switch are called "0" and "1".
  std::optional<FeatureRange> range = {};
};

Picture draw_curve(const GamEffect& effect, const std::string& name, const CurveLook& look = {});

// One of the two features of a surface.
struct SurfaceFeature {
  std::string name;
  std::optional<FeatureRange> range = {};        // as that of a curve
  std::span<const std::string> categories = {};  // names by code; empty: numbers
};

struct SurfaceLook {
  std::string title = {};  // empty: the features' names
  double largest = 0;      // amount that the scale of colours reaches at least; 0: its own
};

// With how to read it below.
Picture draw_surface(const GamEffect& effect, const SurfaceFeature& first,
                     const SurfaceFeature& second, const SurfaceLook& look = {});

// What every curve of the model needs, and the largest amount of its surfaces.
Span curve_scale(const Gam& gam);
double surface_scale(const Gam& gam);
// Whether a curve has two cells with an edge between them that can be drawn, or is of a switch.
bool has_two_cells(const GamEffect& effect, const std::optional<FeatureRange>& range);
Picture draw_two_cells(const GamEffect& effect, const std::string& name, const CurveLook& look);
// Of the values that a curve or a surface shows.
Span span_of_curve(const GamEffect& effect, bool with_bands);
Span span_of_surface(const GamEffect& effect);
// Missing values of an axis that no row has say nothing, and may be far from everything else.
bool shows_missing(const GamEffect& effect, std::size_t axis = 0);

}  // namespace glassrank
