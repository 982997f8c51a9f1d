#include "glassrank/models/linear/linear_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

struct WeightedValue {
  float value = 0;
  double weight = 0;
};

// Different values, ascending, with the weight of their rows.
std::vector<WeightedValue> values_of(const Dataset& data, std::uint32_t feature) {
  std::vector<WeightedValue> all;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    const float x = data.features()(r, feature);
    if (std::isinf(x)) {
      fail(ErrorKind::kInput, "row {}: feature {} is infinite; a line has no value there", r + 1,
           data.feature_names()[feature]);
    }
    if (!std::isnan(x)) all.push_back({.value = x, .weight = data.weight(r)});
  }
  std::ranges::stable_sort(all, {}, &WeightedValue::value);
  std::vector<WeightedValue> distinct;
  for (const WeightedValue& each : all) {
    if (distinct.empty() || distinct.back().value != each.value) distinct.push_back({each.value});
    distinct.back().weight += each.weight;
  }
  return distinct;
}

// Of one value or several: their mean by weight, or the plain one if none has any.
double mean_of(std::span<const WeightedValue> values) {
  if (values.size() == 1) return values.front().value;
  double weight = 0;
  double sum = 0;
  double plain = 0;
  for (const WeightedValue& each : values) {
    weight += each.weight;
    sum += each.weight * each.value;
    plain += each.value;
  }
  return weight > 0 ? sum / weight : plain / static_cast<double>(values.size());
}

GamEffect curve_of(const Linear& linear, std::uint32_t feature,
                   std::span<const WeightedValue> values, std::size_t most_cells) {
  GamEffect curve;
  curve.axes.push_back({.feature = feature, .edges = {}});
  const double weight = linear.weights()[feature];
  const std::size_t num_cells = std::min(values.size(), most_cells);
  for (std::size_t c = 0; c < num_cells; ++c) {
    const std::size_t begin = c * values.size() / num_cells;
    const std::size_t end = (c + 1) * values.size() / num_cells;
    if (c > 0) {
      curve.axes[0].edges.push_back(cut_between(values[begin - 1].value, values[begin].value));
    }
    curve.values.push_back(weight * mean_of(values.subspan(begin, end - begin)));
  }
  const double missing = weight * linear.fill(feature);
  if (values.empty()) curve.values.push_back(missing);
  curve.values.push_back(missing);
  return curve;
}

}  // namespace

Gam linear_steps(const Linear& linear, const Dataset& data, const Context& context,
                 std::size_t most_cells) {
  if (data.num_features() < linear.num_features()) {
    fail(ErrorKind::kUsage, "the data have {} features, the model {}", data.num_features(),
         linear.num_features());
  }
  const std::vector<std::uint32_t> used = linear.used_features();
  GamParts parts{.effects = std::vector<GamEffect>(used.size()),
                 .num_features = linear.num_features(),
                 .feature_names = linear.parts().feature_names,
                 .intercept = linear.intercept(),
                 .objective = linear.objective()};
  parallel_for(context, used.size(), 1, [&](std::size_t i, std::size_t) {
    parts.effects[i] = curve_of(linear, used[i], values_of(data, used[i]), most_cells);
  });
  return with_weights(Gam(std::move(parts)), data, context);
}

}  // namespace glassrank
