#pragma once
// Every importance that a ranker has: gains and splits of a forest, permutation of whatever ranks.

#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/importance_table.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct ImportanceTask {
  const Scorer& scorer;
  const Model* model = nullptr;   // of the scorer; null: a black box
  const Dataset* data = nullptr;  // for permutation; null: without it
  PermutationParams permutation = {};
  Convention convention = {};
};

// Throws what permutation_importance throws.
Importance find_importance(const ImportanceTask& task, const Context& context);

}  // namespace glassrank
