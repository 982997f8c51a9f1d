#pragma once
// What the decisions on a row's way through the trees did to its score (Saabas 2014): for each step
// from a node to a child, value(child) - value(node) is credited to the feature of the node's
// split, where the value of a node is the mean of the leaf values below it, by cover (cover.h). As
// XGBoost's approx_contribs and shap's approximate=True. Summed over trees,
//   base value + sum of contributions = score
// Cheap, but not Shapley values: a feature near the root gets less than the same one near a leaf.
//
// Or how often a row's way asks for a feature: splits on it / splits on the way, tree by tree.
//
// Both are the ground truth that explanations are audited against, as the mean over trees. Whether
// the step into the leaf counts is left open by the paper that uses them so; here it
// does, unless told otherwise. Cost: a walk per row and tree.

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

enum class PathMeasure { kContribution, kFrequency };
template <>
struct EnumNames<PathMeasure> {
  static std::span<const std::pair<std::string_view, PathMeasure>> table();
};

enum class PathTotal { kSum, kMean };
template <>
struct EnumNames<PathTotal> {
  static std::span<const std::pair<std::string_view, PathTotal>> table();
};

struct DecisionPathParams {
  PathMeasure measure = PathMeasure::kContribution;
  PathTotal total = PathTotal::kSum;  // over trees
  bool exclude_leaf = false;          // contributions: leave out the step into the leaf
  Cover cover = Cover::kAuto;

  void visit(ParamVisitor& visitor);
};

class DecisionPaths {
 public:
  // Throws Error{kInput} when contributions are asked for and the forest does not know the cover.
  DecisionPaths(const Forest& forest, const DecisionPathParams& params);

  std::size_t num_features() const { return forest_.num_features(); }
  // Of contributions: the score, or the mean output of a tree (without the base score), before any
  // decision. Of frequencies: 0.
  double base_value() const { return base_value_; }
  // values: rows x features. Throws Error{kUsage} as ShapEngine does.
  void values(MatrixView<const float> rows, MatrixView<double> values,
              const Context& context) const;

 private:
  void add_path(std::size_t tree, std::span<const float> row, std::span<double> values) const;

  Forest forest_;
  DecisionPathParams params_;
  double base_value_ = 0;
  std::vector<std::vector<double>> means_;  // by tree and node
};

}  // namespace glassrank
