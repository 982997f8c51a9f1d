#include "glassrank/methods/training/feature_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/methods/training/graded_pairs.h"

namespace glassrank {
namespace {

void check_finite(const Dataset& data, const Context& context) {
  constexpr std::size_t kChunkRows = 4096;
  parallel_for(context, data.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const auto row = data.row(r);
      for (std::size_t f = 0; f < row.size(); ++f) {
        if (!std::isinf(row[f])) continue;
        fail(ErrorKind::kInput,
             "row {}: feature {} is infinite; weights need finite values (missing ones are fine)",
             r + 1, data.feature_names()[f]);
      }
    }
  });
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

// Two passes: differences of large sums would lose a small deviation.
Moments moments_of(const Dataset& data, std::size_t feature) {
  double weight = 0;
  double sum = 0;
  const auto each = [&](auto&& visit) {
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      const float x = data.features()(r, feature);
      if (!std::isnan(x)) visit(data.weight(r), static_cast<double>(x));
    }
  };
  each([&](double w, double x) {
    weight += w;
    sum += w * x;
  });
  if (weight <= 0) return {};
  const double mean = sum / weight;
  double squares = 0;
  each([&](double w, double x) { squares += w * (x - mean) * (x - mean); });
  return {.mean = mean, .deviation = std::sqrt(squares / weight)};
}

}  // namespace

std::span<const std::pair<std::string_view, Normalise>> EnumNames<Normalise>::table() {
  static constexpr std::array<std::pair<std::string_view, Normalise>, 2> kNames = {
      {{"standardise", Normalise::kStandardise}, {"none", Normalise::kNone}}};
  return kNames;
}

void FeatureScaling::apply(std::span<const float> row, std::span<double> out) const {
  for (std::size_t f = 0; f < out.size(); ++f) out[f] = scaled(f, row[f]);
}

FeatureScaling find_scaling(const Dataset& data, Normalise normalise, const Context& context) {
  check_finite(data, context);
  check_row_weights(data);
  const std::size_t num_features = data.num_features();
  FeatureScaling scaling{.offsets = std::vector<double>(num_features, 0.0),
                         .scales = std::vector<double>(num_features, 0.0),
                         .fills = std::vector<float>(num_features, 0.0F)};
  parallel_for(context, num_features, 1, [&](std::size_t f, std::size_t) {
    const Moments moments = moments_of(data, f);
    // Rounding alone leaves a deviation of some 1e-8 of the values in a constant column.
    if (moments.deviation <= 1e-7 * std::abs(moments.mean)) return;
    scaling.scales[f] = normalise == Normalise::kNone ? 1 : 1 / moments.deviation;
    if (normalise == Normalise::kNone) return;
    scaling.fills[f] = static_cast<float>(moments.mean);
    scaling.offsets[f] = moments.mean;
  });
  if (num_features > 0 && data.num_rows() > 0 &&
      std::ranges::all_of(scaling.scales, [](double scale) { return scale == 0; })) {
    fail_no_feature_differs();
  }
  return scaling;
}

Linear unscaled_linear(std::span<const double> weights, double intercept,
                       const FeatureScaling& scaling, LinearParts rest) {
  rest.intercept = intercept;
  rest.weights.resize(weights.size());
  for (std::size_t f = 0; f < weights.size(); ++f) {
    rest.weights[f] = weights[f] * scaling.scales[f];
    rest.intercept -= rest.weights[f] * scaling.offsets[f];
  }
  rest.fills = scaling.fills;
  return Linear(std::move(rest));
}

MlpLayer unscaled_layer(MlpLayer layer, const FeatureScaling& scaling) {
  for (std::size_t o = 0; o < layer.num_outputs(); ++o) {
    for (std::size_t f = 0; f < layer.num_inputs; ++f) {
      double& weight = layer.weights[o * layer.num_inputs + f];
      weight *= scaling.scales[f];
      layer.biases[o] -= weight * scaling.offsets[f];
    }
  }
  return layer;
}

}  // namespace glassrank
