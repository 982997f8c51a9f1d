// Everything the library answers by the kind of a model, except for its native text: a new kind
// comes here once.

#include "glassrank/models/model_kinds.h"

#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_forest.h"
#include "glassrank/models/gam/gam_scorer.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

using ScorerPointer = std::unique_ptr<const Scorer>;

ScorerPointer make_scorer(const Model& model) {
  return match(
      model,
      [](const Forest& forest) -> ScorerPointer { return std::make_unique<ForestScorer>(forest); },
      [](const Gam& gam) -> ScorerPointer { return std::make_unique<GamScorer>(gam); });
}

Forest as_forest(const Model& model) {
  return match(
      model, [](const Forest& forest) { return forest; },
      [](const Gam& gam) { return to_forest(gam); });
}

Gam as_gam(const Model& model) {
  return match(
      model, [](const Forest& forest) { return distil(forest); },
      [](const Gam& gam) { return gam; });
}

Verification verify(const Model& model) {
  return match(
      model, [](const Forest& forest) { return verify(forest); },
      [](const Gam& gam) { return verify(gam); });
}

}  // namespace glassrank
