#pragma once
// The parameters of boosting, and what the parts of boosting take from them.
//
// num_trees and learning_rate are the booster's, num_leaves to min_leaf_rows and feature_fraction
// the grower's, the penalties those of split.h; precision and active rows concern the backend only.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/histogram/quantise.h"
#include "glassrank/boosting/tree/split.h"
#include "glassrank/boosting/tree/tree_grower.h"

namespace glassrank {

// fast: gradients rounded to small integers for the histograms, leaf values in full precision.
enum class Precision { kFast, kFull };
template <>
struct EnumNames<Precision> {
  static std::span<const std::pair<std::string_view, Precision>> table();
};

// Which rows enter the histograms of a fast round: all (but some of those whose gradient is next to
// nothing, see histogram/quantise.h), or a share drawn by stochastic rounding (an unbiased sample
// in which large gradients are certain).
enum class ActiveRows { kAuto, kAll, kSome };
template <>
struct EnumNames<ActiveRows> {
  static std::span<const std::pair<std::string_view, ActiveRows>> table();
};

struct BoosterParams {
  // What is not given may be settled by what there is, see Method::settle.
  Tunable<int> num_trees = Tunable<int>::by_default(100);
  double learning_rate = 0.1;
  int num_leaves = 31;
  int max_depth = 0;
  Growth growth = Growth::kLeafWise;
  std::int64_t min_leaf_rows = 20;
  std::int64_t min_split_rows = 0;  // of a node; for methods of single trees, which show it
  double min_leaf_hessian = 1e-3;
  double l1 = 0;
  double l2 = 0;
  double min_gain = 0;
  // Of features of categories, with LightGBM's names.
  double cat_smooth = 10;
  double cat_l2 = 10;
  int max_cat_to_onehot = 4;
  int max_cat_threshold = 32;
  std::int64_t min_data_per_group = 100;
  double feature_fraction = 1;
  Precision precision = Precision::kFast;
  ActiveRows active = ActiveRows::kAuto;
  double active_share = 0.15;

  void visit(ParamVisitor& visitor);
};

// Those that concern features of categories alone, that of their bins included.
std::span<const std::string_view> category_params();
// Which parameters mean something only beside others.
std::span<const ParamUse> booster_uses();

SplitRules split_rules(const BoosterParams& params);
// kAuto is all of few rows.
ActiveShare active_rows(const BoosterParams& params);

}  // namespace glassrank
