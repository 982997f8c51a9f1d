#pragma once
// The pairs of features that can interact in a forest, and what the kernel needs to tell how much.
//
// Only features on one path of a tree interact. At a node whose feature is i, with T its summand of
// phi_i at a point (shap_plan.h: s beta C D), every other feature j that splits above gives
//
//   I_ij += sum over points of T e_j,  e_j = (o - r) / u
//
// with o, r and u as feature j's last split above left them: e = (1 - r) / (p + (1 - p) r) for rows
// that pass all splits on j above (the edge is open), -1 / (1 - p) for the others whatever r is.
// Work: inner nodes x features above x points per row and tree.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/explain/tree_shap/shap_plan.h"

namespace glassrank {

struct ShapPartner {
  std::uint32_t pair = 0;  // index into ShapPairs::pairs
  std::uint32_t edge = 0;  // of the tree: the other feature's last above the node
};

struct ShapPairs {
  std::vector<FeaturePair> pairs;         // ascending
  std::vector<ShapPartner> partners;      // node by node
  std::vector<std::size_t> partner_ends;  // 0, then by node of the plan: where its own end
  std::vector<double> terms;              // by pass: e if closed, then e if open by edge
  std::vector<std::size_t> pass_terms;    // by pass: where they start
};

ShapPairs make_shap_pairs(const ShapPlan& plan);

}  // namespace glassrank
