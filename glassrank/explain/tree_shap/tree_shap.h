#pragma once
// Path-dependent TreeSHAP (Lundberg, Erion, Lee 2018): exact Shapley values and interactions of a
// forest's scores, where a row goes both ways at a node whose feature is not known, by the shares
// of cover of its children (cover.h):
//
//   v(S) = base score + sum over trees of v(S, root)
//   v(S, leaf) = its value
//   v(S, node) = v(S, the row's child)                               if its feature is in S
//              = share(left) v(S, left) + share(right) v(S, right)   otherwise
//
// The same values as LightGBM's pred_contrib (cover: count) and XGBoost's pred_contribs (cover:
// hessian), exact to rounding at any depth. By quadrature in p (Wettenstein, Mitchell, Yu 2026) in
// a form of our own that divides nowhere: shap_plan.h.
//
// Cost per row and tree: inner nodes x ceil(d / 2), d the most different features on a path; the
// plan takes about 120 bytes a node. Sums run over groups of trees whose borders depend on the
// forest alone, so that few rows can share the threads and still get the same bits.

#include <cstddef>
#include <memory>
#include <span>

#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

class TreeShap final : public ShapEngine {
 public:
  // Throws Error{kInput} when the forest does not know the cover, with the way out.
  explicit TreeShap(const Forest& forest, Cover cover = Cover::kAuto);
  ~TreeShap() override;

  std::size_t num_features() const override;
  double base_value() const override;
  std::span<const FeaturePair> pairs() const override;

 private:
  void values_checked(MatrixView<const float> rows, MatrixView<double> values,
                      const Context& context) const override;
  void interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                            MatrixView<double> interactions, const Context& context) const override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassrank
