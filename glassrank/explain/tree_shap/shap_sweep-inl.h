// Step 2 of shap_kernel.h: what one tree adds to the Shapley values of some rows.
//
// Every lane of a vector is a row. A sweep down the tree works out, for some quadrature points at a
// time, how much of the integrand reaches each node; a sweep up collects what is below. Nodes are
// sorted into runs of one kind (both children nodes, one a leaf, the feature asked above or not),
// so that a loop over a run has no branch. Points of one pass stay in registers.
//
// Included once per instruction set by shap_kernel.cpp.

#if defined(GLASSRANK_EXPLAIN_SHAP_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_EXPLAIN_SHAP_SWEEP_INL_H_
#undef GLASSRANK_EXPLAIN_SHAP_SWEEP_INL_H_
#else
#define GLASSRANK_EXPLAIN_SHAP_SWEEP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "glassrank/explain/tree_shap/shap_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ShapTag = hn::CappedTag<double, kMaxShapLanes>;
using ShapVec = hn::Vec<ShapTag>;

// One tree, one vector of rows.
struct TreeRows {
  const ShapNode* nodes = nullptr;
  const ShapRun* runs = nullptr;
  std::size_t num_runs = 0;
  const float* columns = nullptr;  // of the first of the rows, as everything here; kShapRows apart
  double* values = nullptr;
  double* steps = nullptr;
  double* sweeps = nullptr;
  std::uint8_t* open = nullptr;
};

// What a pass adds: the points, and what interactions need (null: none are asked for).
struct PassTables {
  const double* points = nullptr;
  const double* weights = nullptr;
  const double* repeats = nullptr;
  const double* closed_terms = nullptr;
  const double* open_terms = nullptr;
  const ShapPartner* partners = nullptr;
  const std::size_t* partner_ends = nullptr;  // of the tree's nodes
  double* interactions = nullptr;
};

// The step of every node: s of shap_plan.h.
HWY_ATTR inline void find_steps(const TreeRows& tree) {
  const ShapTag d;
  const hn::Rebind<float, ShapTag> d32;
  const hn::RebindToUnsigned<ShapTag> du;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < tree.num_runs; ++r) {
    const ShapRun run = tree.runs[r];
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const ShapNode& node = tree.nodes[i];
      const auto x = hn::PromoteTo(d, hn::LoadU(d32, tree.columns + node.column * kShapRows));
      const auto asked = hn::BitCast(d, hn::Xor(hn::BitCast(du, x), hn::Set(du, node.flip)));
      const auto yes = hn::Le(asked, hn::Set(d, node.threshold));
      auto step = hn::IfThenElse(yes, hn::Set(d, node.step_if_yes), hn::Set(d, node.step_if_no));
      auto takes_yes = yes;
      auto takes_no = hn::Not(yes);
      if (run.repeats) {
        const auto is_open = hn::LoadMaskBits(d, tree.open + node.edge_above);
        step = hn::IfThenElseZero(is_open, step);
        takes_yes = hn::And(yes, is_open);
        takes_no = hn::AndNot(yes, is_open);
      }
      hn::Store(step, d, tree.steps + i * lanes);
      hn::StoreMaskBits(d, takes_yes, tree.open + 2 * i);
      hn::StoreMaskBits(d, takes_no, tree.open + 2 * i + 1);
    }
  }
}

// a of shap_plan.h: how likely the first child is.
template <bool kRepeats>
HWY_INLINE ShapVec first_share(const ShapNode& node, ShapVec step, ShapVec point,
                               const double* alphas, std::size_t q) {
  const ShapTag d;
  const auto alpha = kRepeats ? hn::Set(d, alphas[q]) : point;
  return hn::Add(hn::Set(d, node.share), hn::Mul(alpha, step));
}

template <int kPoints, ShapChildren kChildren, bool kRepeats>
HWY_ATTR void sweep_down(const TreeRows& tree, const PassTables& pass, ShapRun run) {
  const ShapTag d;
  const std::size_t lanes = hn::Lanes(d);
  ShapVec points[kPoints];
  for (int q = 0; q < kPoints; ++q) points[q] = hn::Set(d, pass.points[q]);
  for (std::size_t i = run.begin; i < run.end; ++i) {
    const ShapNode& node = tree.nodes[i];
    const auto step = hn::Load(d, tree.steps + i * lanes);
    const double* const alphas = pass.repeats + 2 * kPoints * node.repeat;
    const double* const here = tree.sweeps + i * kPoints * lanes;
    double* const first = tree.sweeps + node.nodes[0] * kPoints * lanes;
    double* const second = tree.sweeps + node.nodes[1] * kPoints * lanes;
    for (int q = 0; q < kPoints; ++q) {
      const auto share = first_share<kRepeats>(node, step, points[q], alphas, q);
      const auto c = hn::Load(d, here + q * lanes);
      const auto c_first = hn::Mul(c, share);
      hn::Store(c_first, d, first + q * lanes);
      if constexpr (kChildren == ShapChildren::kTwoNodes) {
        hn::Store(hn::Sub(c, c_first), d, second + q * lanes);
      }
    }
  }
}

// Adds a node's summands of phi to the interactions with the features above it.
template <int kPoints>
HWY_INLINE void add_partners(const TreeRows& tree, const PassTables& pass, std::size_t node,
                             const ShapVec* terms) {
  const ShapTag d;
  auto closed = hn::Mul(terms[0], hn::Set(d, pass.closed_terms[0]));
  for (int q = 1; q < kPoints; ++q) {
    closed = hn::Add(closed, hn::Mul(terms[q], hn::Set(d, pass.closed_terms[q])));
  }
  for (std::size_t i = pass.partner_ends[static_cast<std::ptrdiff_t>(node) - 1];
       i < pass.partner_ends[node]; ++i) {
    const ShapPartner partner = pass.partners[i];
    const double* const e = pass.open_terms + partner.edge * kPoints;
    auto open = hn::Mul(terms[0], hn::Set(d, e[0]));
    for (int q = 1; q < kPoints; ++q) open = hn::Add(open, hn::Mul(terms[q], hn::Set(d, e[q])));
    const auto is_open = hn::LoadMaskBits(d, tree.open + partner.edge);
    double* const sum = pass.interactions + partner.pair * kShapPairRows;
    hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::IfThenElse(is_open, open, closed)), d, sum);
  }
}

template <int kPoints, ShapChildren kChildren, bool kRepeats, bool kPairs>
HWY_ATTR void sweep_up(const TreeRows& tree, const PassTables& pass, ShapRun run) {
  const ShapTag d;
  const std::size_t lanes = hn::Lanes(d);
  ShapVec points[kPoints];
  for (int q = 0; q < kPoints; ++q) points[q] = hn::Set(d, pass.points[q]);
  for (std::size_t i = run.end; i-- > run.begin;) {
    const ShapNode& node = tree.nodes[i];
    const auto step = hn::Load(d, tree.steps + i * lanes);
    const double* const alphas = pass.repeats + 2 * kPoints * node.repeat;
    const double* const betas = alphas + kPoints;
    double* const here = tree.sweeps + i * kPoints * lanes;
    const double* const first = tree.sweeps + node.nodes[0] * kPoints * lanes;
    const double* const second = tree.sweeps + node.nodes[1] * kPoints * lanes;
    auto sum = hn::Zero(d);
    ShapVec terms[kPoints];
    for (int q = 0; q < kPoints; ++q) {
      const auto share = first_share<kRepeats>(node, step, points[q], alphas, q);
      auto g_first = hn::Set(d, node.values[0]);
      auto g_second = hn::Set(d, node.values[1]);
      if constexpr (kChildren != ShapChildren::kNoNode) g_first = hn::Load(d, first + q * lanes);
      if constexpr (kChildren == ShapChildren::kTwoNodes) {
        g_second = hn::Load(d, second + q * lanes);
      }
      const auto change = hn::Sub(g_first, g_second);
      auto term = hn::Mul(hn::Load(d, here + q * lanes), change);
      if constexpr (kRepeats) term = hn::Mul(term, hn::Set(d, betas[q]));
      sum = hn::Add(sum, term);
      hn::Store(hn::Add(g_second, hn::Mul(share, change)), d, here + q * lanes);
      if constexpr (kPairs) terms[q] = hn::Mul(term, step);
    }
    double* const value = tree.values + node.feature * kShapRows;
    hn::StoreU(hn::Add(hn::LoadU(d, value), hn::Mul(step, sum)), d, value);
    if constexpr (kPairs) add_partners<kPoints>(tree, pass, i, terms);
  }
}

template <int kPoints, bool kPairs, bool kRepeats>
HWY_INLINE void sweep_up_kind(const TreeRows& tree, const PassTables& pass, ShapRun run) {
  switch (run.children) {
    case ShapChildren::kTwoNodes:
      return sweep_up<kPoints, ShapChildren::kTwoNodes, kRepeats, kPairs>(tree, pass, run);
    case ShapChildren::kOneNode:
      return sweep_up<kPoints, ShapChildren::kOneNode, kRepeats, kPairs>(tree, pass, run);
    case ShapChildren::kNoNode:
      return sweep_up<kPoints, ShapChildren::kNoNode, kRepeats, kPairs>(tree, pass, run);
  }
}

template <int kPoints, bool kRepeats>
HWY_INLINE void sweep_down_kind(const TreeRows& tree, const PassTables& pass, ShapRun run) {
  switch (run.children) {
    case ShapChildren::kTwoNodes:
      return sweep_down<kPoints, ShapChildren::kTwoNodes, kRepeats>(tree, pass, run);
    case ShapChildren::kOneNode:
      return sweep_down<kPoints, ShapChildren::kOneNode, kRepeats>(tree, pass, run);
    case ShapChildren::kNoNode:
      return;
  }
}

template <int kPoints, bool kPairs>
HWY_ATTR void sweep(const TreeRows& tree, const PassTables& pass) {
  const ShapTag d;
  for (int q = 0; q < kPoints; ++q) {
    hn::Store(hn::Set(d, pass.weights[q]), d, tree.sweeps + q * hn::Lanes(d));
  }
  for (std::size_t r = 0; r < tree.num_runs; ++r) {
    const ShapRun run = tree.runs[r];
    if (run.repeats) {
      sweep_down_kind<kPoints, true>(tree, pass, run);
    } else {
      sweep_down_kind<kPoints, false>(tree, pass, run);
    }
  }
  for (std::size_t r = tree.num_runs; r-- > 0;) {
    const ShapRun run = tree.runs[r];
    if (run.repeats) {
      sweep_up_kind<kPoints, kPairs, true>(tree, pass, run);
    } else {
      sweep_up_kind<kPoints, kPairs, false>(tree, pass, run);
    }
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
