#pragma once
// Exact Shapley values of a linear model's scores: weight * (value - usual value), whatever the
// game. Nothing interacts.
//
// The usual value of a feature is its mean over the background rows (missing values count as the
// model's fill), or what the model fills in for missing values: for models trained here on
// standardised features that is the training mean.

#include <vector>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {

class LinearShap final : public ShapEngine {
 public:
  // With respect to the training data. Throws Error{kInput} when the model holds no fills, with the
  // way out.
  explicit LinearShap(const Linear& linear);
  // With respect to these rows. Throws Error{kUsage} when there are none or they have too few
  // features.
  LinearShap(const Linear& linear, MatrixView<const float> background);

  std::size_t num_features() const override { return linear_.num_features(); }
  double base_value() const override { return base_value_; }
  std::span<const FeaturePair> pairs() const override { return {}; }

 private:
  void set_usual(std::vector<double> usual);
  void values_checked(MatrixView<const float> rows, MatrixView<double> values,
                      const Context& context) const override;
  void interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                            MatrixView<double> interactions, const Context& context) const override;

  Linear linear_;
  std::vector<double> usual_;
  double base_value_ = 0;
};

}  // namespace glassrank
