#include "glassrank/models/gam/gam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

void check_axis(const GamAxis& axis, std::size_t num_features) {
  if (axis.feature >= num_features) {
    fail(ErrorKind::kInput, "feature {} of {}", axis.feature + 1, num_features);
  }
  for (std::size_t i = 0; i < axis.edges.size(); ++i) {
    if (std::isnan(axis.edges[i])) fail(ErrorKind::kInput, "edge {} is not a number", i);
    if (i > 0 && !(axis.edges[i - 1] < axis.edges[i])) {
      fail(ErrorKind::kInput, "edge {} after edge {}; edges must ascend", axis.edges[i],
           axis.edges[i - 1]);
    }
  }
}

void check_cells(const std::vector<double>& cells, std::size_t num_cells, const char* what,
                 double smallest) {
  if (cells.size() != num_cells) {
    fail(ErrorKind::kInput, "{} {} for {} cells", cells.size(), what, num_cells);
  }
  for (std::size_t c = 0; c < num_cells; ++c) {
    if (!std::isfinite(cells[c]) || cells[c] < smallest) {
      fail(ErrorKind::kInput, "{} {} of cell {} is not {}", what, cells[c], c,
           smallest == 0 ? "a finite number of at least 0" : "finite");
    }
  }
}

void check_effect(const GamEffect& effect, std::size_t num_features) {
  if (effect.axes.empty() || effect.axes.size() > 2) {
    fail(ErrorKind::kInput, "{} features; an effect has one or two", effect.axes.size());
  }
  for (const GamAxis& axis : effect.axes) check_axis(axis, num_features);
  if (effect.is_pair() && effect.axes[0].feature >= effect.axes[1].feature) {
    fail(ErrorKind::kInput, "feature {} before feature {}; features must ascend",
         effect.axes[0].feature + 1, effect.axes[1].feature + 1);
  }
  const std::size_t num_cells = effect.num_cells();
  check_cells(effect.values, num_cells, "values", -std::numeric_limits<double>::infinity());
  if (!effect.errors.empty()) check_cells(effect.errors, num_cells, "errors", 0);
  if (!effect.weights.empty()) check_cells(effect.weights, num_cells, "weights", 0);
}

}  // namespace

std::size_t GamAxis::cell(float value) const {
  if (std::isnan(value)) return missing_cell();
  return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), value) -
                                  edges.begin());
}

std::size_t GamEffect::num_cells() const {
  std::size_t cells = 1;
  for (const GamAxis& axis : axes) cells *= axis.num_cells();
  return cells;
}

std::size_t GamEffect::cell(std::span<const float> row) const {
  std::size_t cell = 0;
  for (const GamAxis& axis : axes) {
    const float value =
        axis.feature < row.size() ? row[axis.feature] : std::numeric_limits<float>::quiet_NaN();
    cell = cell * axis.num_cells() + axis.cell(value);
  }
  return cell;
}

Gam::Gam() : parts_(std::make_shared<const GamParts>()) {}

Gam::Gam(GamParts parts) {
  if (!parts.feature_names.empty() && parts.feature_names.size() != parts.num_features) {
    fail(ErrorKind::kInput, "{} feature names for {} features", parts.feature_names.size(),
         parts.num_features);
  }
  check_categories(parts.categories, parts.num_features);
  if (!std::isfinite(parts.intercept)) {
    fail(ErrorKind::kInput, "intercept {} is not finite", parts.intercept);
  }
  std::set<std::vector<std::uint32_t>> seen;
  for (std::size_t e = 0; e < parts.effects.size(); ++e) {
    try {
      check_effect(parts.effects[e], parts.num_features);
      std::vector<std::uint32_t> features;
      for (const GamAxis& axis : parts.effects[e].axes) features.push_back(axis.feature);
      if (!seen.insert(std::move(features)).second) {
        fail(ErrorKind::kInput, "an earlier effect has the same features");
      }
    } catch (Error& error) {
      error.add_context(fmt::format("effect {}", e));
      throw;
    }
  }
  parts_ = std::make_shared<const GamParts>(std::move(parts));
}

double Gam::score(std::span<const float> row) const {
  double sum = intercept();
  for (const GamEffect& effect : effects()) sum += effect.values[effect.cell(row)];
  return sum;
}

std::string Gam::feature_name(std::size_t feature) const {
  return feature_names().empty() ? fmt::format("feature {}", feature + 1)
                                 : feature_names()[feature];
}

std::string Gam::effect_name(std::size_t effect) const {
  const GamEffect& named = effects()[effect];
  std::string name = feature_name(named.axes[0].feature);
  if (named.is_pair()) name += fmt::format(" x {}", feature_name(named.axes[1].feature));
  return name;
}

}  // namespace glassrank
