#include "glassrank/models/model_categories.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/data/known_categories.h"

namespace glassrank {
namespace {

std::vector<bool> named_features(const CategoryNames& categories, std::size_t num_features) {
  std::vector<bool> found(num_features);
  for (std::size_t f = 0; f < found.size(); ++f) found[f] = !names_of(categories, f).empty();
  return found;
}

// How many codes an axis tells apart.
std::size_t num_codes(const GamAxis& axis) {
  if (axis.edges.empty()) return 0;
  const float behind = std::nextafter(axis.edges.back(), std::numeric_limits<float>::infinity());
  const bool is_code = behind > 0 && behind <= static_cast<float>(kMostCategoryCodes);
  return is_code ? static_cast<std::size_t>(behind) : 0;
}

}  // namespace

std::vector<bool> category_features(const Forest& forest) {
  std::vector<bool> found = named_features(forest.categories(), forest.num_features());
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      if (node.asks_category()) found[node.feature] = true;
    }
  }
  return found;
}

std::vector<bool> category_features_of(const Model& model) {
  return match(
      model, [](const Forest& forest) { return category_features(forest); },
      [](const auto& body) { return std::vector<bool>(body.num_features()); },
      [](const Gam& gam) { return named_features(gam.categories(), gam.num_features()); });
}

void name_codes(GamParts& parts, const std::vector<bool>& is_category) {
  for (const GamEffect& effect : parts.effects) {
    for (const GamAxis& axis : effect.axes) {
      if (!is_category[axis.feature] || num_codes(axis) == 0) continue;
      parts.categories.resize(parts.num_features);
      std::vector<std::string>& names = parts.categories[axis.feature];
      if (!are_own_codes(names)) continue;
      while (names.size() < num_codes(axis)) names.push_back(fmt::to_string(names.size()));
    }
  }
}

std::string category_of_value(std::span<const std::string> names, float value) {
  if (std::isnan(value)) return "missing";
  const float whole = std::trunc(value);
  if (!(whole >= 0) || !(whole < static_cast<float>(kMostCategoryCodes))) return "#none";
  const auto code = static_cast<std::uint32_t>(whole);
  return names.empty() ? fmt::to_string(code) : category_text(names, code);
}

std::optional<std::string> category_of_cell(const GamAxis& axis, std::size_t cell,
                                            std::span<const std::string> names) {
  if (names.empty() || cell == 0 || cell >= axis.edges.size()) return std::nullopt;
  const auto code = category_between(axis.edges[cell - 1], axis.edges[cell]);
  return code ? std::optional(category_text(names, *code)) : std::nullopt;
}

}  // namespace glassrank
