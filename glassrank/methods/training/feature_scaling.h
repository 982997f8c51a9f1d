#pragma once
// Features on a common scale, for methods that multiply them by weights.
//
//   z = ((x, or the feature's fill where x is missing) - offset) * scale
//   standardise   offset = mean, scale = 1 / standard deviation, fill = mean      (so missing is 0)
//   none          z = x, fill = 0: as RankLib
// Means and deviations are over the training rows that have a value, by row weight. A feature with
// one value everywhere, or none, says nothing: its scale is 0. The scale becomes part of the
// model's weights (unscaled_...), so that models score rows as they are.

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/linear/linear.h"
#include "glassrank/models/mlp/mlp.h"

namespace glassrank {

enum class Normalise { kStandardise, kNone };
template <>
struct EnumNames<Normalise> {
  static std::span<const std::pair<std::string_view, Normalise>> table();
};

struct FeatureScaling {
  std::vector<double> offsets;
  std::vector<double> scales;
  std::vector<float> fills;

  std::size_t num_features() const { return scales.size(); }
  double scaled(std::size_t feature, float x) const {
    const double known = std::isnan(x) ? fills[feature] : x;
    return (known - offsets[feature]) * scales[feature];
  }
  // out has one value per feature; the row may have more.
  void apply(std::span<const float> row, std::span<double> out) const;
};

// Throws Error{kInput} naming row and feature of a value that is infinite, and where no feature has
// two different values.
FeatureScaling find_scaling(const Dataset& data, Normalise normalise, const Context& context);

// A linear function of scaled features, and the first layer of a network on them, as functions of
// the features themselves.
Linear unscaled_linear(std::span<const double> weights, double intercept,
                       const FeatureScaling& scaling, LinearParts rest);
MlpLayer unscaled_layer(MlpLayer layer, const FeatureScaling& scaling);

}  // namespace glassrank
