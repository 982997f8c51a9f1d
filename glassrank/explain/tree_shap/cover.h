#pragma once
// Cover: how much of the training data went through each part of a tree. Where a feature is not
// known, a row goes both ways, by the shares of cover of the two children:
//
//   share(child) = cover(child) / (cover(left) + cover(right)),  cover(node) = sum over its leaves
//
// Shares come from the leaves alone, so that those of two children always sum to 1. (LightGBM's
// node counts are these sums; XGBoost's node hessians are, up to float32 rounding.) A child that
// no row reached has share 0, exactly: nothing here divides by a share, so it needs no floor, where
// shap puts 1e-6 and XGBoost 1e-12. A node that no row reached gives each child 1/2, as XGBoost.
//
// Cover is a count of rows (what LightGBM's pred_contrib uses) or a sum of hessians (XGBoost's
// pred_contribs). With LambdaMART the two differ, and so do the values made from them.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/model.h"

namespace glassrank {

enum class Cover { kAuto, kCount, kHessian };
template <>
struct EnumNames<Cover> {
  static std::span<const std::pair<std::string_view, Cover>> table();
};

struct NodeShares {
  double left = 0;
  double right = 0;
};

// kAuto becomes kCount if every tree knows its counts, else kHessian. Throws Error{kInput} when the
// forest does not have the cover that is asked for, with the way out.
Cover resolve_cover(const Forest& forest, Cover cover);

// Whether every tree knows its counts or its hessians.
bool knows_cover(const Forest& forest);

// One per inner node, by the leaves' cover; `cover` is kCount or kHessian. Throws Error{kInput} for
// a cover that is negative or not finite.
std::vector<NodeShares> node_shares(const Tree& tree, Cover cover);

// One per inner node: the mean of the leaf values below it, by share. A row of which nothing is
// known scores the root's mean.
std::vector<double> node_means(const Tree& tree, std::span<const NodeShares> shares);
// The root's: of a tree without nodes, its only leaf.
double tree_mean(const Tree& tree, std::span<const NodeShares> shares);

// The inner nodes, parents before their children.
std::vector<std::size_t> parents_first(const Tree& tree);

// The same forest with the counts of these rows in place of its own: for models that know none
// (RankLib, QuickRank), or to explain with respect to other data. Throws Error{kUsage} when the
// data has no rows or fewer features than the forest. Cost: rows x trees x depth.
Forest with_cover_from(const Forest& forest, const Dataset& data, const Context& context);

// The model as it is or, if it is a forest that knows no cover, with that of the data. So with the
// weights of an additive model's cells.
Model with_known_cover(const Model& model, const Dataset& data, const Context& context);

}  // namespace glassrank
