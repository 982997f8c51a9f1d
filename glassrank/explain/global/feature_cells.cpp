#include "glassrank/explain/global/feature_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

GamAxis axis_of(std::uint32_t feature, std::vector<float> edges) {
  // No value exceeds +infinity: it divides nothing.
  std::erase(edges, kInfinity);
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  return {.feature = feature, .edges = std::move(edges)};
}

}  // namespace

GamAxis feature_cells(std::span<const Tree> trees, std::uint32_t feature) {
  std::vector<float> edges;
  for (const Tree& tree : trees) {
    for (const TreeNode& node : tree.nodes) {
      if (node.feature != feature) continue;
      if (node.asks_category()) {
        const std::vector<float> own = edges_of(node.categories);
        edges.insert(edges.end(), own.begin(), own.end());
        continue;
      }
      edges.push_back(node.threshold);
      if (!node.zero_is_missing) continue;
      edges.push_back(std::nextafter(-kZeroThreshold, -kInfinity));
      edges.push_back(kZeroThreshold);
    }
  }
  return axis_of(feature, std::move(edges));
}

GamAxis feature_cells(const Gam& gam, std::uint32_t feature) {
  std::vector<float> edges;
  for (const GamEffect& effect : gam.effects()) {
    for (const GamAxis& axis : effect.axes) {
      if (axis.feature == feature) edges.insert(edges.end(), axis.edges.begin(), axis.edges.end());
    }
  }
  return axis_of(feature, std::move(edges));
}

GamAxis feature_cells(const Model& model, std::uint32_t feature) {
  return match(
      model, [&](const Forest& forest) { return feature_cells(forest.trees(), feature); },
      [&](const Gam& gam) { return feature_cells(gam, feature); },
      []<typename Body>(const Body&) -> GamAxis {
        fail(ErrorKind::kUsage, "a {} has no cells: its scores change everywhere", Body::kKind);
      });
}

std::vector<float> values_in_cells(const GamAxis& axis) {
  std::vector<float> values(axis.edges.begin(), axis.edges.end());
  values.push_back(axis.edges.empty() ? 0 : std::nextafter(axis.edges.back(), kInfinity));
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  return values;
}

}  // namespace glassrank
