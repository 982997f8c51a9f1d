#pragma once
// `tree-shap`: exact Shapley values of a model's score as an explainer (shap_engine.h).
//
// For models that can be looked into: forests, additive and linear models. A document's values add
// up to its score. A pair is the difference of the two documents' values, or, with pairs_by =
// reference, the values of the one with the other as the only background row: then the features
// that both have alike get exactly 0, and the values are those of moving from one to the other.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/params.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/tree_shap/shap_engine.h"

namespace glassrank {

enum class PairAnswer { kDifference, kReference };
template <>
struct EnumNames<PairAnswer> {
  static std::span<const std::pair<std::string_view, PairAnswer>> table();
};

// As Cover (cover.h), or the rows of the background data, counted leaf by leaf: what a model that
// knows no cover needs.
enum class CoverSource { kAuto, kCount, kHessian, kData };
template <>
struct EnumNames<CoverSource> {
  static std::span<const std::pair<std::string_view, CoverSource>> table();
};

struct TreeShapParams {
  int k = 5;
  ShapGame game = ShapGame::kPathDependent;
  CoverSource cover = CoverSource::kAuto;
  int background_rows = 500;
  PairAnswer pairs_by = PairAnswer::kDifference;
  bool interactions = false;

  void visit(ParamVisitor& visitor);
};

Cover cover_of(CoverSource source);
// The model as it is, or with the cover of the background data: a forest's if it is asked for, that
// of an additive model also if the model does not know it, with a notice.
Model with_cover(const Model& model, CoverSource source, const Dataset& background,
                 const Context& context);

std::unique_ptr<Explainer> make_tree_shap(TreeShapParams params);

}  // namespace glassrank
