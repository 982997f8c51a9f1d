#include "glassrank/explain/counterfactual/places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/explain/global/dependence_axis.h"
#include "glassrank/explain/global/feature_cells.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void add_place(const FeatureLimit& limit, float present, float value, float end,
               FeaturePlaces& places) {
  places.values.push_back(value);
  places.costs.push_back(limit.cost(present, value));
  places.ends.push_back(end);
}

FeaturePlaces only_own(float present) {
  return {.values = {present}, .costs = {0}, .ends = {present}, .own = 0};
}

FeaturePlaces places_in_cells(const GamAxis& axis, const FeatureLimit& limit, float present) {
  if (limit.is_fixed || !std::isfinite(present)) return only_own(present);
  const std::size_t own_cell = axis.cell(present);
  FeaturePlaces places;
  for (std::size_t c = 0; c + 1 < axis.num_cells(); ++c) {
    if (c == own_cell) {
      places.own = static_cast<std::uint32_t>(places.size());
      add_place(limit, present, present, present, places);
      continue;
    }
    const float above = c == 0 ? -kInfinity : axis.edges[c - 1];
    const float to = c == axis.edges.size() ? kInfinity : axis.edges[c];
    const auto value = limit.nearest(present, above, to);
    if (!value) continue;
    const float end = *value > present ? to : std::nextafter(above, kInfinity);
    add_place(limit, present, *value, end, places);
  }
  return places;
}

// Values that occur, or the allowed ones next to them.
FeaturePlaces places_at(std::span<const float> values, const FeatureLimit& limit, float present) {
  if (limit.is_fixed || !std::isfinite(present)) return only_own(present);
  std::vector<float> all = {present};
  for (const float occurring : values) {
    const float value = limit.rounded(present, occurring);
    if (std::isfinite(value) && value != present && limit.allows(present, value)) {
      all.push_back(value);
    }
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  FeaturePlaces places;
  for (const float value : all) {
    if (value == present) places.own = static_cast<std::uint32_t>(places.size());
    add_place(limit, present, value, value, places);
  }
  return places;
}

}  // namespace

std::vector<FeaturePlaces> feature_places(const Subject& subject, std::span<const float> row,
                                          std::span<const FeatureLimit> limits,
                                          std::size_t num_values) {
  const WeightedRows rows{subject.background.features(), {}};
  std::vector<FeaturePlaces> all;
  for (std::uint32_t f = 0; f < limits.size(); ++f) {
    if (subject.step_model() != nullptr) {
      all.push_back(places_in_cells(feature_cells(*subject.model, f), limits[f], row[f]));
    } else {
      const DependenceAxis axis = quantile_axis(subject, f, rows, num_values, false);
      all.push_back(places_at(axis.points, limits[f], row[f]));
    }
  }
  return all;
}

}  // namespace glassrank
