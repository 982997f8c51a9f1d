#include "glassrank/explain/tree_shap/shap_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Highway compiles the rest of this file once per instruction set. SSE4 adds nothing to SSE2 here.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/tree_shap/shap_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/explain/tree_shap/shap_sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

template <bool kPairs>
HWY_INLINE void sweep_points(std::size_t num_points, const TreeRows& tree, const PassTables& pass) {
  static_assert(ShapPlan::kMaxPoints == 8);
  switch (num_points) {
    case 1:
      return sweep<1, kPairs>(tree, pass);
    case 2:
      return sweep<2, kPairs>(tree, pass);
    case 3:
      return sweep<3, kPairs>(tree, pass);
    case 4:
      return sweep<4, kPairs>(tree, pass);
    case 5:
      return sweep<5, kPairs>(tree, pass);
    case 6:
      return sweep<6, kPairs>(tree, pass);
    case 7:
      return sweep<7, kPairs>(tree, pass);
    default:
      return sweep<8, kPairs>(tree, pass);
  }
}

template <bool kPairs>
HWY_ATTR void sweep_trees(const ShapPlan& plan, const ShapPairs* pairs, const ShapBlock& block,
                          ShapWorkspace& workspace) {
  const std::size_t lanes = hn::Lanes(ShapTag());
  for (std::size_t t = block.first_tree; t < block.end_tree; ++t) {
    const ShapTree& tree = plan.trees[t];
    for (std::size_t row = 0; row < block.num_rows; row += lanes) {
      const TreeRows rows{.nodes = plan.nodes.data() + tree.nodes,
                          .runs = plan.runs.data() + tree.runs,
                          .num_runs = tree.num_runs,
                          .columns = workspace.columns.data() + row,
                          .values = block.values + row,
                          .steps = workspace.steps.data(),
                          .sweeps = workspace.sweeps.data(),
                          .open = workspace.open.data()};
      find_steps(rows);
      for (std::size_t p = tree.passes; p < tree.passes + tree.num_passes; ++p) {
        const ShapPass& pass = plan.passes[p];
        PassTables tables{.points = plan.points.data() + pass.points,
                          .weights = plan.points.data() + pass.points + pass.num_points,
                          .repeats = plan.repeats.data() + pass.repeats};
        if constexpr (kPairs) {
          tables.closed_terms = pairs->terms.data() + pairs->pass_terms[p];
          tables.open_terms = tables.closed_terms + pass.num_points;
          tables.partners = pairs->partners.data();
          tables.partner_ends = pairs->partner_ends.data() + tree.nodes + 1;
          tables.interactions = block.interactions + row;
        }
        sweep_points<kPairs>(pass.num_points, rows, tables);
      }
    }
  }
}

HWY_ATTR void sweep_values(const ShapPlan& plan, const ShapBlock& block, ShapWorkspace& workspace) {
  sweep_trees<false>(plan, nullptr, block, workspace);
}

HWY_ATTR void sweep_interactions(const ShapPlan& plan, const ShapPairs& pairs,
                                 const ShapBlock& block, ShapWorkspace& workspace) {
  sweep_trees<true>(plan, &pairs, block, workspace);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(sweep_values);
HWY_EXPORT(sweep_interactions);

ShapWorkspace::ShapWorkspace(const ShapPlan& plan)
    : columns(std::max<std::size_t>(plan.columns.size(), 1) * kShapRows),
      steps(std::max<std::size_t>(plan.max_nodes, 1) * kMaxShapLanes),
      sweeps(std::max<std::size_t>(plan.max_nodes, 1) * ShapPlan::kMaxPoints * kMaxShapLanes),
      open(2 * plan.max_nodes + sizeof(std::uint64_t)) {  // a mask is read as so many bytes
  std::ranges::fill(open.span(), 0);
}

void load_shap_columns(const ShapPlan& plan, MatrixView<const float> rows,
                       ShapWorkspace& workspace) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const ShapColumn& column = plan.columns[c];
    float* const values = workspace.columns.data() + c * kShapRows;
    for (std::size_t r = 0; r < rows.num_rows(); ++r) values[r] = rows(r, column.feature);
    std::fill(values + rows.num_rows(), values + kShapRows, 0.0F);
    if (column.categories.exists()) {
      for (std::size_t r = 0; r < kShapRows; ++r) {
        if (!std::isnan(values[r])) values[r] = column.categories.contains(values[r]) ? 0 : 1;
      }
    }
    if (!column.zero_is_missing) continue;
    for (std::size_t r = 0; r < kShapRows; ++r) {
      if (std::abs(values[r]) <= kZeroThreshold) {
        values[r] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
}

void add_shap_values(const ShapPlan& plan, const ShapBlock& block, ShapWorkspace& workspace) {
  HWY_DYNAMIC_DISPATCH(sweep_values)(plan, block, workspace);
}

void add_shap_interactions(const ShapPlan& plan, const ShapPairs& pairs, const ShapBlock& block,
                           ShapWorkspace& workspace) {
  HWY_DYNAMIC_DISPATCH(sweep_interactions)(plan, pairs, block, workspace);
}

}  // namespace glassrank
#endif
