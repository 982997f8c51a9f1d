#include "glassrank/methods/ebm/bagged_gam.h"

#include <utility>

#include "glassrank/models/gam/bag_tables.h"
#include "glassrank/models/model_categories.h"

namespace glassrank {
namespace {

// Whether the cell is in a missing row or column that no training row fell into.
std::vector<bool> unseen_cells(const BaggedEffect& effect) {
  const std::size_t width = effect.axes.size() == 2 ? effect.axes[1].num_cells() : 1;
  const std::size_t height = effect.weights.size() / width;
  std::vector<double> by_row(height);
  std::vector<double> by_column(width);
  for (std::size_t c = 0; c < effect.weights.size(); ++c) {
    by_row[c / width] += effect.weights[c];
    by_column[c % width] += effect.weights[c];
  }
  const bool row_unseen = by_row.back() == 0;
  const bool column_unseen = effect.axes.size() == 2 && by_column.back() == 0;
  std::vector<bool> unseen(effect.weights.size());
  for (std::size_t c = 0; c < unseen.size(); ++c) {
    unseen[c] =
        (row_unseen && c / width == height - 1) || (column_unseen && c % width == width - 1);
  }
  return unseen;
}

GamEffect average(BaggedEffect& effect) {
  const std::vector<bool> unseen = unseen_cells(effect);
  const auto num_bags = static_cast<double>(effect.tables.size());
  GamEffect result{.axes = std::move(effect.axes),
                   .values = std::vector<double>(effect.weights.size()),
                   .weights = effect.weights};
  if (effect.tables.size() > 1) result.errors = table_deviations(effect.tables);
  for (std::size_t c = 0; c < result.values.size(); ++c) {
    if (unseen[c]) {
      if (!result.errors.empty()) result.errors[c] = 0;
      continue;
    }
    for (const std::vector<double>& table : effect.tables) result.values[c] += table[c] / num_bags;
  }
  return result;
}

}  // namespace

Gam average_bags(BaggedModel model) {
  GamParts parts{.num_features = model.num_features,
                 .feature_names = std::move(model.feature_names),
                 .objective = std::move(model.objective),
                 .categories = std::move(model.categories)};
  for (BaggedEffect& effect : model.effects) {
    for (std::size_t bag = 0; bag < effect.tables.size(); ++bag) {
      model.intercepts[bag] += centre_table(effect.tables[bag], effect.weights);
    }
    parts.effects.push_back(average(effect));
  }
  if (!model.is_category.empty()) name_codes(parts, model.is_category);
  for (const double intercept : model.intercepts) {
    parts.intercept += intercept / static_cast<double>(model.intercepts.size());
  }
  return Gam(std::move(parts));
}

}  // namespace glassrank
