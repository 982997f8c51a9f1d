#include <algorithm>
#include <cstdint>

#include "glassrank/base/parallel.h"
#include "glassrank/explain/global/partial_dependence.h"

namespace glassrank {
namespace {

// Where an axis of an effect comes from: a feature of the grid, or the rows.
std::size_t place_in(const PointGrid& grid, const GamAxis& axis) {
  return static_cast<std::size_t>(std::ranges::find(grid.features, axis.feature) -
                                  grid.features.begin());
}

// The weight of the rows in every cell of an axis.
std::vector<double> weights_of_cells(const GamAxis& axis, const WeightedRows& data) {
  std::vector<double> weights(axis.num_cells());
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    weights[axis.cell(data.rows(r, axis.feature))] += data.weight(r);
  }
  return weights;
}

std::vector<std::size_t> cells_of_values(const GamAxis& axis, std::span<const float> values) {
  std::vector<std::size_t> cells;
  for (const float value : values) cells.push_back(axis.cell(value));
  return cells;
}

// Weighted sum over the rows of a surface of which only one axis, `asked`, is in the grid: one
// number per cell of it.
std::vector<double> sums_along(const GamEffect& effect, std::size_t asked,
                               const WeightedRows& data) {
  const std::vector<double> weights = weights_of_cells(effect.axes[1 - asked], data);
  const std::size_t width = effect.axes[1].num_cells();
  std::vector<double> sums(effect.axes[asked].num_cells());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    for (std::size_t other = 0; other < weights.size(); ++other) {
      const std::size_t cell = asked == 0 ? c * width + other : other * width + c;
      sums[c] += weights[other] * effect.values[cell];
    }
  }
  return sums;
}

double sum_over_rows(const GamEffect& effect, const WeightedRows& data) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    sum += data.weight(r) * effect.values[effect.cell(data.rows.row(r))];
  }
  return sum;
}

// An effect's weighted sum over the rows: one number per value of the grid's feature `along`, one
// for every point (along == features of the grid), or a single one (no_feature).
struct EffectSums {
  static constexpr std::size_t kEveryPoint = 2;
  static constexpr std::size_t kConstant = 3;
  std::size_t along = kConstant;
  std::vector<double> sums;
};

EffectSums sums_of(const GamEffect& effect, const PointGrid& grid, const WeightedRows& data,
                   double total) {
  std::vector<std::size_t> asked;  // axes of the effect that the grid sets
  for (std::size_t a = 0; a < effect.axes.size(); ++a) {
    if (place_in(grid, effect.axes[a]) < grid.features.size()) asked.push_back(a);
  }
  EffectSums result;
  if (asked.empty()) {
    result.sums = {sum_over_rows(effect, data)};
  } else if (asked.size() == 1) {
    const GamAxis& axis = effect.axes[asked[0]];
    result.along = place_in(grid, axis);
    std::vector<double> by_cell = effect.values;
    for (double& value : by_cell) value *= total;
    if (effect.is_pair()) by_cell = sums_along(effect, asked[0], data);
    for (const std::size_t cell : cells_of_values(axis, grid.values[result.along])) {
      result.sums.push_back(by_cell[cell]);
    }
  } else {
    result.along = EffectSums::kEveryPoint;
    // Features ascend in an effect, not in the grid.
    const bool is_swapped = place_in(grid, effect.axes[0]) == 1;
    const auto first = cells_of_values(effect.axes[is_swapped ? 1 : 0], grid.values[0]);
    const auto second = cells_of_values(effect.axes[is_swapped ? 0 : 1], grid.values[1]);
    const std::size_t width = effect.axes[1].num_cells();
    for (const std::size_t a : first) {
      for (const std::size_t b : second) {
        result.sums.push_back(total * effect.values[is_swapped ? b * width + a : a * width + b]);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<double> gam_mean_scores_at(const Gam& gam, const PointGrid& grid,
                                       const WeightedRows& data, const Context& context) {
  const double total = data.total();
  std::vector<EffectSums> effects(gam.effects().size());
  parallel_for(context, effects.size(), 1, [&](std::size_t e, std::size_t) {
    effects[e] = sums_of(gam.effects()[e], grid, data, total);
  });
  const std::size_t width = grid.values.back().size();
  std::vector<double> means(grid.num_points(), total * gam.intercept());
  for (const EffectSums& effect : effects) {
    for (std::size_t p = 0; p < means.size(); ++p) {
      const bool is_first = effect.along == 0 && grid.features.size() == 2;
      const std::size_t place = effect.along == EffectSums::kConstant     ? 0
                                : effect.along == EffectSums::kEveryPoint ? p
                                : is_first                                ? p / width
                                                                          : p % width;
      means[p] += effect.sums[place];
    }
  }
  for (double& mean : means) mean /= total;
  return means;
}

}  // namespace glassrank
