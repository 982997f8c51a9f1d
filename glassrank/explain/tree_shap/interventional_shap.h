#pragma once
// Interventional TreeSHAP: exact Shapley values and interactions of a forest's scores, where
// features that are not known take the values of background rows:
//
//   v(S) = mean over background rows b of the score of the row with x's values on S and b's
//          elsewhere
//
// One background row gives baseline SHAP: what changed the score from that row's to this one's. If
// it is another document, the values answer "why is A above B" exactly.
//
// Leaf by leaf: a row and a background row matter through the features of the path that each passes
// (leaf_patterns.h). Background patterns are counted once, when the engine is made; the patterns of
// a block of rows are played once each (leaf_game.h). So the cost is rows x leaves look-ups, plus
// different patterns x different background patterns a leaf and block, where shap takes rows x
// background rows x leaves. Memory: different background patterns x 16 bytes a leaf.

#include <cstddef>
#include <memory>
#include <span>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

class InterventionalTreeShap final : public ShapEngine {
 public:
  // Throws Error{kUsage} when there is no background row or the rows have too few features. Keeps
  // no reference to them.
  InterventionalTreeShap(const Forest& forest, MatrixView<const float> background,
                         const Context& context);
  ~InterventionalTreeShap() override;

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

// Throws Error{kUsage} as the constructor does.
void check_background(MatrixView<const float> background, std::size_t num_features);

}  // namespace glassrank
