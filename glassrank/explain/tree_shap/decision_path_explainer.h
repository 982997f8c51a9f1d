#pragma once
// `decision-path`: what each decision on a document's way through the trees did to its score, as an
// explainer (decision_path.h). Fast, and adds up to the score; tree-shap shares more fairly.

#include <memory>

#include "glassrank/base/params.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/tree_shap/tree_shap_explainer.h"

namespace glassrank {

struct DecisionPathExplainerParams {
  int k = 5;
  CoverSource cover = CoverSource::kAuto;

  void visit(ParamVisitor& visitor);
};

std::unique_ptr<Explainer> make_decision_path(DecisionPathExplainerParams params);

}  // namespace glassrank
