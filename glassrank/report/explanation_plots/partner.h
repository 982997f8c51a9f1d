#pragma once
// Which other feature a feature most likely acts with, guessed from attributions alone: among
// documents with about the same value of the feature, whose values go along with what it adds?
//
// Documents are sorted by the feature's value and cut into runs of a tenth of them (10 at least).
// Within every run the attribution is correlated with each other feature's value; the sum of the
// absolute correlations over runs decides (as shap's approximate_interactions does). A guess for
// colours, no measure of interaction: tree-shap's interactions are that.
// Cost: documents x features.

#include <cstddef>
#include <optional>

#include "glassrank/report/explanation_plots/attribution_table.h"

namespace glassrank {

// Nothing when there are fewer than 20 documents or no other feature goes along.
std::optional<std::size_t> likely_partner(const AttributionTable& table, std::size_t feature);

}  // namespace glassrank
