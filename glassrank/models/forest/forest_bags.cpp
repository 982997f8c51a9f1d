#include "glassrank/models/forest/forest_bags.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "glassrank/models/gam/bag_tables.h"
#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

// For every cell of an axis, the cell of the other axis that it lies in. The other axis has no
// edges but those of this one.
std::vector<std::size_t> cells_within(const GamAxis& axis, const GamAxis& other) {
  std::vector<std::size_t> cells;
  for (const float edge : axis.edges) cells.push_back(other.cell(edge));
  cells.push_back(other.cell(std::numeric_limits<float>::infinity()));
  cells.push_back(other.missing_cell());
  return cells;
}

// A bag's table in the cells of the mean's.
std::vector<double> spread_out(const GamEffect& bag, const GamEffect& mean) {
  std::vector<std::vector<std::size_t>> cells;
  for (std::size_t a = 0; a < mean.axes.size(); ++a) {
    cells.push_back(cells_within(mean.axes[a], bag.axes[a]));
  }
  if (!mean.is_pair()) cells.push_back({0});
  const std::size_t row_size = bag.is_pair() ? bag.axes[1].num_cells() : 1;
  std::vector<double> values;
  for (const std::size_t row : cells[0]) {
    for (const std::size_t column : cells[1]) values.push_back(bag.values[row * row_size + column]);
  }
  return values;
}

bool has_same_features(const GamEffect& a, const GamEffect& b) {
  return std::ranges::equal(a.axes, b.axes, {}, &GamAxis::feature, &GamAxis::feature);
}

}  // namespace

Forest mean_forest(std::span<const Forest> bags) {
  if (bags.size() == 1) return bags.front();
  const auto n = static_cast<double>(bags.size());
  const Forest& first = bags.front();
  ForestParts parts{.trees = {},
                    .num_features = first.num_features(),
                    .feature_names = {first.feature_names().begin(), first.feature_names().end()},
                    .base_score = 0,
                    .objective = first.objective(),
                    .categories = first.categories()};
  for (const Forest& bag : bags) {
    parts.base_score += bag.base_score() / n;
    for (Tree tree : bag.trees()) {
      for (double& value : tree.leaf_values) value /= n;
      for (double& value : tree.statistics.node_value) value /= n;
      parts.trees.push_back(std::move(tree));
    }
  }
  return Forest(std::move(parts));
}

Gam with_bag_errors(const Gam& gam, std::span<const Forest> bags) {
  if (bags.size() < 2) return gam;
  std::vector<Gam> tables;
  for (const Forest& bag : bags) tables.push_back(distil(bag));
  GamParts parts = gam.parts();
  for (GamEffect& effect : parts.effects) {
    std::vector<std::vector<double>> values;
    for (const Gam& bag : tables) {
      const auto own = std::ranges::find_if(
          bag.effects(), [&](const GamEffect& other) { return has_same_features(other, effect); });
      values.push_back(own == bag.effects().end() ? std::vector<double>(effect.num_cells())
                                                  : spread_out(*own, effect));
      centre_table(values.back(), effect.weights);
    }
    effect.errors = table_deviations(values);
  }
  return Gam(std::move(parts));
}

}  // namespace glassrank
