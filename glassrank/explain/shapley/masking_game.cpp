#include "glassrank/explain/shapley/masking_game.h"

#include <cmath>

namespace glassrank {
namespace {

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool varies(MatrixView<const float> documents, MatrixView<const float> references,
            std::size_t feature) {
  // All are the same exactly when all are the same as one of them.
  const float value = documents(0, feature);
  for (std::size_t d = 1; d < documents.num_rows(); ++d) {
    if (!same(documents(d, feature), value)) return true;
  }
  for (std::size_t b = 0; b < references.num_rows(); ++b) {
    if (!same(references(b, feature), value)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> varying_features(MatrixView<const float> documents,
                                            MatrixView<const float> references,
                                            std::span<const std::uint32_t> candidates) {
  std::vector<std::uint32_t> players;
  for (const std::uint32_t feature : candidates) {
    if (varies(documents, references, feature)) players.push_back(feature);
  }
  return players;
}

std::vector<std::uint8_t> feature_masks(CoalitionView coalitions,
                                        std::span<const std::uint32_t> players,
                                        std::size_t num_features) {
  std::vector<std::uint8_t> masks(coalitions.num_rows() * num_features);
  for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
    const auto members = coalitions.row(c);
    for (std::size_t i = 0; i < players.size(); ++i) {
      masks[c * num_features + players[i]] = members[i];
    }
  }
  return masks;
}

std::vector<double> spread_over_features(std::span<const double> values,
                                         std::span<const std::uint32_t> players,
                                         std::size_t num_features) {
  std::vector<double> spread(num_features);
  for (std::size_t i = 0; i < players.size(); ++i) spread[players[i]] = values[i];
  return spread;
}

}  // namespace glassrank
