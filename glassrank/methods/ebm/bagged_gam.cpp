#include "glassrank/methods/ebm/bagged_gam.h"

#include <cmath>
#include <numeric>
#include <utility>

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

// Shifts the table to mean 0; returns what was taken away.
double centre(std::span<double> table, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double sum = std::inner_product(table.begin(), table.end(), weights.begin(), 0.0);
  const double mean = total > 0 ? sum / total : 0;
  for (double& value : table) value -= mean;
  return mean;
}

GamEffect average(BaggedEffect& effect) {
  const std::vector<bool> unseen = unseen_cells(effect);
  const auto num_bags = static_cast<double>(effect.tables.size());
  GamEffect result{.axes = std::move(effect.axes),
                   .values = std::vector<double>(effect.weights.size()),
                   .weights = effect.weights};
  if (effect.tables.size() > 1) result.errors.resize(result.values.size());
  for (std::size_t c = 0; c < result.values.size(); ++c) {
    if (unseen[c]) continue;
    double mean = 0;
    for (const std::vector<double>& table : effect.tables) mean += table[c] / num_bags;
    result.values[c] = mean;
    if (result.errors.empty()) continue;
    double variance = 0;
    for (const std::vector<double>& table : effect.tables) {
      variance += (table[c] - mean) * (table[c] - mean) / num_bags;
    }
    result.errors[c] = std::sqrt(variance);
  }
  return result;
}

}  // namespace

Gam average_bags(BaggedModel model) {
  GamParts parts{.num_features = model.num_features,
                 .feature_names = std::move(model.feature_names),
                 .objective = std::move(model.objective)};
  for (BaggedEffect& effect : model.effects) {
    for (std::size_t bag = 0; bag < effect.tables.size(); ++bag) {
      model.intercepts[bag] += centre(effect.tables[bag], effect.weights);
    }
    parts.effects.push_back(average(effect));
  }
  for (const double intercept : model.intercepts) {
    parts.intercept += intercept / static_cast<double>(model.intercepts.size());
  }
  return Gam(std::move(parts));
}

}  // namespace glassrank
