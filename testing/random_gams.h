#pragma once
// For tests: additive models of any shape and the rows that tell their cells apart.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/random.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct RandomGamShape {
  bool infinite_edges = true;
  bool float_values = false;  // cell values and intercept are float32 numbers
  bool errors = true;
  bool weights = true;
  std::size_t most_edges = 6;
};

class GamMaker {
 public:
  explicit GamMaker(std::uint64_t seed) : random_(CounterRandom(seed, "gam")) {}

  Gam gam(const RandomGamShape& shape) {
    GamParts parts;
    parts.num_features = 1 + random_.below(6);
    std::set<std::vector<std::uint32_t>> met;
    const std::size_t num_effects = random_.below(6);
    for (std::size_t e = 0; e < num_effects; ++e) {
      std::vector<std::uint32_t> features = {feature(parts)};
      if (random_.below(2) == 0) features.push_back(feature(parts));
      std::ranges::sort(features);
      features.erase(std::ranges::unique(features).begin(), features.end());
      if (met.insert(features).second) parts.effects.push_back(effect(features, shape));
    }
    if (random_.below(2) == 0) {
      for (std::size_t f = 0; f < parts.num_features; ++f) {
        parts.feature_names.push_back(fmt::format("feature \"{}\"\t", f));
      }
    }
    parts.intercept = value(shape);
    parts.objective = random_.below(2) == 0 ? "lambdarank" : "";
    return Gam(std::move(parts));
  }

  // Values on, just beside and away from the model's edges, zeros and missing ones.
  std::vector<float> row(const Gam& gam) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> values(gam.num_features());
    for (float& value : values) value = any_float();
    for (const GamEffect& effect : gam.effects()) {
      for (const GamAxis& axis : effect.axes) {
        if (axis.edges.empty() || random_.below(3) == 0) continue;
        const float edge = axis.edges[random_.below(axis.edges.size())];
        const std::uint64_t side = random_.below(3);
        values[axis.feature] =
            side == 0 ? edge : std::nextafter(edge, side == 1 ? kInfinity : -kInfinity);
      }
    }
    return values;
  }

 private:
  std::uint32_t feature(const GamParts& parts) {
    return static_cast<std::uint32_t>(random_.below(parts.num_features));
  }
  float any_float() {
    constexpr std::array kSpecial = {0.0F,
                                     -0.0F,
                                     1e-36F,
                                     -1e-45F,
                                     1.0F,
                                     std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::lowest(),
                                     std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(),
                                     std::numeric_limits<float>::quiet_NaN()};
    if (random_.below(3) == 0) return kSpecial[random_.below(kSpecial.size())];
    return static_cast<float>(random_.normal());
  }
  double value(const RandomGamShape& shape) {
    // Few distinct values, so that neighbours are equal at times.
    const double value =
        random_.below(2) == 0 ? random_.normal() / 3 : static_cast<double>(random_.below(3));
    return shape.float_values ? static_cast<double>(static_cast<float>(value)) : value;
  }
  GamEffect effect(const std::vector<std::uint32_t>& features, const RandomGamShape& shape) {
    GamEffect effect;
    for (const std::uint32_t f : features) {
      std::set<float> edges;
      const std::size_t num_edges = random_.below(shape.most_edges + 1);
      for (std::size_t i = 0; i < num_edges; ++i) {
        const float edge = any_float();
        if (!std::isnan(edge) && (shape.infinite_edges || !std::isinf(edge))) edges.insert(edge);
      }
      effect.axes.push_back({.feature = f, .edges = {edges.begin(), edges.end()}});
    }
    const bool errors = shape.errors && random_.below(2) == 0;
    const bool weights = shape.weights && random_.below(2) == 0;
    for (std::size_t c = 0; c < effect.num_cells(); ++c) {
      effect.values.push_back(value(shape));
      if (errors) effect.errors.push_back(random_.uniform());
      if (weights) effect.weights.push_back(static_cast<double>(random_.below(5)));
    }
    return effect;
  }

  RandomSequence random_;
};

}  // namespace glassrank
