#pragma once
// Features as players: a coalition knows its features of a document, the others take the values of
// reference rows (perturbation.h).
//
// A feature plays when the scorer can depend on it and some document differs from some reference
// row in it; any other one has Shapley value 0 without being asked.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/shapley/game.h"

namespace glassrank {

// The features of `candidates` that differ; missing equals missing.
std::vector<std::uint32_t> varying_features(MatrixView<const float> documents,
                                            MatrixView<const float> references,
                                            std::span<const std::uint32_t> candidates);

// Feature masks of coalitions of these players; features that do not play are not known.
std::vector<std::uint8_t> feature_masks(CoalitionView coalitions,
                                        std::span<const std::uint32_t> players,
                                        std::size_t num_features);

// One value per player -> one per feature.
std::vector<double> spread_over_features(std::span<const double> values,
                                         std::span<const std::uint32_t> players,
                                         std::size_t num_features);

}  // namespace glassrank
