#pragma once
// Exact Shapley values and interactions of an additive model's scores, read off its tables.
//
//   v(S) = mean over background rows b of the score of the row with x's values on S and b's
//          elsewhere
//
// The background is the training data, as the model remembers it (the weights of its cells), or
// rows that are given. Either way all that matters of it is its weight in every cell, so both are
// the same computation, and with the training rows as background they are the same numbers. Effect
// by effect, with weights w that sum to 1:
//   curve     its feature gets value(cell) - sum of w value
//   surface   v(both) = value(a, b)          v(first) = sum over b of w2(b) value(a, b)
//             v(second) = sum over a of w1(a) value(a, b)     v(none) = sum of w(a, b) value(a, b)
//             where w1 and w2 are the sums of w along the other axis: the other feature keeps its
//             own distribution whatever this one is, as interventional values want it;
//             first gets (v(first) - v(none) + v(both) - v(second)) / 2, second likewise, and the
//             interaction is v(both) - v(first) - v(second) + v(none)
// A curve interacts with nothing. Cost: a search and an addition per row and axis.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

class GamShap final : public ShapEngine {
 public:
  // With respect to the training data. Throws Error{kInput} naming an effect whose weights are not
  // known or all 0, with the way out.
  explicit GamShap(const Gam& gam);
  // With respect to these rows; keeps no reference to them. Throws Error{kUsage} when there are
  // none or they have too few features.
  GamShap(const Gam& gam, MatrixView<const float> background);

  std::size_t num_features() const override { return gam_.num_features(); }
  double base_value() const override { return base_value_; }
  std::span<const FeaturePair> pairs() const override { return pairs_; }

 private:
  struct Table {
    std::vector<double> values[2];     // by cell: of the effect's features
    std::vector<double> interactions;  // of a surface, by cell
    std::size_t pair = 0;              // of a surface: index into pairs_
  };

  void add_curve(const GamEffect& effect, std::span<const double> weights);
  void add_surface(const GamEffect& effect, std::span<const double> weights);
  void place_pairs();
  void values_checked(MatrixView<const float> rows, MatrixView<double> values,
                      const Context& context) const override;
  void interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                            MatrixView<double> interactions, const Context& context) const override;

  Gam gam_;
  double base_value_ = 0;
  std::vector<Table> tables_;  // by effect
  std::vector<FeaturePair> pairs_;
};

}  // namespace glassrank
