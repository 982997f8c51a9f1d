#include "glassrank/models/gam/effect_importance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

std::optional<double> weighted_of(const GamEffect& effect) {
  double weight = 0;
  double sum = 0;
  for (std::size_t c = 0; c < effect.weights.size(); ++c) {
    weight += effect.weights[c];
    sum += effect.weights[c] * effect.values[c];
  }
  if (!(weight > 0)) return std::nullopt;
  const double mean = sum / weight;
  double distance = 0;
  for (std::size_t c = 0; c < effect.weights.size(); ++c) {
    distance += effect.weights[c] * std::abs(effect.values[c] - mean);
  }
  return distance / weight;
}

bool is_missing_cell(const GamEffect& effect, std::size_t cell) {
  const std::size_t row_size = effect.axes.back().num_cells();
  return cell % row_size == effect.axes.back().missing_cell() ||
         (effect.is_pair() && cell / row_size == effect.axes[0].missing_cell());
}

bool all_weighted(std::span<const EffectImportance> importances) {
  return std::ranges::all_of(importances,
                             [](const EffectImportance& one) { return one.weighted.has_value(); });
}

}  // namespace

EffectImportance importance_of(const GamEffect& effect) {
  double sum = 0;
  double count = 0;
  for (std::size_t c = 0; c < effect.values.size(); ++c) {
    if (is_missing_cell(effect, c)) continue;
    sum += std::abs(effect.values[c]);
    count += 1;
  }
  return {.weighted = weighted_of(effect), .unweighted = sum / count};
}

std::vector<std::size_t> effects_by_importance(std::span<const EffectImportance> importances) {
  const bool weighted = all_weighted(importances);
  std::vector<std::size_t> order(importances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t e) {
    return weighted ? *importances[e].weighted : importances[e].unweighted;
  });
  return order;
}

std::string effect_table(const Gam& gam, std::size_t top) {
  std::vector<EffectImportance> importances;
  for (const GamEffect& effect : gam.effects()) importances.push_back(importance_of(effect));
  const bool weighted = all_weighted(importances);
  std::vector<std::size_t> order = effects_by_importance(importances);
  if (order.empty()) return "";
  const auto leading = [&](std::size_t e) {
    return weighted ? *importances[e].weighted : importances[e].unweighted;
  };
  const double largest = leading(order.front());
  if (top > 0 && order.size() > top) order.resize(top);
  TextColumns table;
  for (const std::size_t number : {1, 2, 3}) table.align_right(number);
  table.add({"effect", "mean |effect|", "mean |cell|", "cells"});
  for (const std::size_t e : order) {
    table.add({gam.effect_name(e),
               importances[e].weighted ? fmt::format("{:.4f}", *importances[e].weighted) : "-",
               fmt::format("{:.4f}", importances[e].unweighted),
               fmt::format("{}", gam.effects()[e].num_cells()), text_bar(leading(e), largest)});
  }
  return table.text();
}

}  // namespace glassrank
