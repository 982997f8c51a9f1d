#pragma once
// `decision-path`: what each decision on a document's way through the trees did to its score, as an
// explainer (decision_path.h). Fast, and adds up to the score; tree-shap shares more fairly. With
// other choices than the default (means over trees, frequencies, no leaf steps) it explains what
// its parts add up to instead of the score.

#include <memory>

#include "glassrank/base/params.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/tree_shap/decision_path.h"
#include "glassrank/explain/tree_shap/tree_shap_explainer.h"

namespace glassrank {

struct DecisionPathExplainerParams {
  int k = 5;
  PathMeasure measure = PathMeasure::kContribution;
  PathTotal total = PathTotal::kSum;
  bool exclude_leaf = false;
  CoverSource cover = CoverSource::kAuto;

  void visit(ParamVisitor& visitor);
};

std::unique_ptr<Explainer> make_decision_path(DecisionPathExplainerParams params);

}  // namespace glassrank
