#include "glassrank/models/gam/gam_kernel.h"

#include "glassrank/models/gam/gam_lookup.h"

// Highway compiles the rest of this file once per instruction set. SSSE3 alone is not worth a copy.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/models/gam/gam_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR
#include "glassrank/models/forest/sliced_columns-inl.h"
#include "glassrank/models/gam/gam_cells-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

bool has_look_up() { return false; }

void look_up_block(const GamPlan&, const GamBlock&, GamWorkspace&) {}

#else

namespace hn = hwy::HWY_NAMESPACE;

bool has_look_up() { return true; }

// Places after one level more of the search; kLevel 0 is the root.
template <int kLevel, int kLevels, class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> place_of(D d, const SearchTree<D, kLevels>& tree,
                                                   hn::Vec<D> x,
                                                   hn::Vec<hn::RebindToSigned<D>> place) {
  if constexpr (kLevel == kLevels) {
    return place;
  } else {
    const hn::RebindToSigned<D> di;
    const auto above = hn::Gt(x, tree.template at<kLevel>(place));
    const auto left = hn::Add(place, place);
    const auto right = hn::Add(left, hn::Set(di, 1));
    const auto next = hn::IfThenElse(hn::RebindMask(di, above), right, left);
    return place_of<kLevel + 1, kLevels>(d, tree, x, next);
  }
}

template <int kLevels>
HWY_ATTR void search_codes(const GamColumn& column, const float* values, std::size_t width,
                           const float* search_tree, std::uint16_t* codes) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint16_t, decltype(d)> du16;
  const SearchTree<hn::ScalableTag<float>, kLevels> tree(d, search_tree);
  const auto missing = hn::Set(di, column.missing_code);
  const auto first = hn::Set(di, 1 << kLevels);
  for (std::size_t r = 0; r < width; r += hn::Lanes(d)) {
    const auto x = hn::Load(d, values + r);
    const auto place = place_of<0, kLevels>(d, tree, x, hn::Set(di, 1));
    const auto is_missing = hn::RebindMask(di, hn::IsNaN(x));
    const auto code = hn::IfThenElse(is_missing, missing, hn::Sub(place, first));
    hn::StoreU(hn::DemoteTo(du16, code), du16, codes + r);
  }
}

HWY_INLINE void search_column(const GamPlan& plan, const GamColumn& column, const float* values,
                              std::size_t width, std::uint16_t* codes) {
  const float* const tree = plan.search_trees.data() + column.search_tree;
  switch (column.num_levels) {
    case 0:
      search_bins(plan.search_tables[column.table], {.first = values, .stride = 1, .size = width},
                  codes);
      return;
    case 1:
      return search_codes<1>(column, values, width, tree, codes);
    case 2:
      return search_codes<2>(column, values, width, tree, codes);
    case 3:
      return search_codes<3>(column, values, width, tree, codes);
    case 4:
      return search_codes<4>(column, values, width, tree, codes);
    case 5:
      return search_codes<5>(column, values, width, tree, codes);
    case 6:
      return search_codes<6>(column, values, width, tree, codes);
    case 7:
      return search_codes<7>(column, values, width, tree, codes);
    default:
      return search_codes<8>(column, values, width, tree, codes);
  }
}

// Steps 1 and 2.
HWY_ATTR void code_columns(const GamPlan& plan, const SlicedBlock& block, GamWorkspace& workspace) {
  float* const columns = workspace.columns.data();
  const std::size_t num_columns = plan.columns.size();
  const auto group_of = [&](std::size_t column) {
    return plan.columns[column].feature / kFeatureGroup * kFeatureGroup;
  };
  for (std::size_t begin = 0, end = 0; begin < num_columns; begin = end) {
    const std::size_t group = group_of(begin);
    NeededFeatures needed{.first = group};
    for (; end < num_columns && group_of(end) == group; ++end) {
      needed.add(plan.columns[end].feature);
    }
    transpose_group(block, needed, std::min(kFeatureGroup, plan.num_features - group), columns);
    for (std::size_t c = begin; c < end; ++c) {
      if (end < num_columns) {
        const auto row = [&](std::size_t done) { return block.num_rows * done / (end - begin); };
        prefetch_group(block, group_of(end), row(c - begin), row(c - begin + 1));
      }
      const GamColumn& column = plan.columns[c];
      search_column(plan, column, columns + (kFeatureLead + column.feature - group) * block.width,
                    block.width, workspace.codes.data() + c * kMaxGamRows);
    }
  }
}

// Step 3.
HWY_ATTR void find_all_cells(const GamPlan& plan, std::size_t num_rows, GamWorkspace& workspace) {
  for (const GamLookup& lookup : plan.lookups) {
    if (lookup.is_curve() || lookup.is_wide()) continue;
    const auto axis = [&](std::size_t a) {
      const std::size_t column = lookup.columns[a];
      return MappedCodes{.codes = workspace.codes.data() + column * kMaxGamRows,
                         .map = plan.maps.data() + lookup.maps[a],
                         .num_codes = std::size_t{plan.columns[column].missing_code} + 1};
    };
    find_cells(axis(0), axis(1), num_rows, workspace.cells.data() + lookup.cells * kMaxGamRows);
  }
}

HWY_ATTR void look_up_block(const GamPlan& plan, const GamBlock& block, GamWorkspace& workspace) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  const std::size_t width = (block.num_rows + lanes - 1) / lanes * lanes;
  code_columns(plan,
               {.rows = block.rows,
                .num_rows = block.num_rows,
                .rows_ahead = 0,
                .stride = block.stride,
                .width = width,
                .scores = nullptr},
               workspace);
  find_all_cells(plan, block.num_rows, workspace);
  double* const sums = workspace.sums.data();
  std::fill_n(sums, block.num_rows, plan.intercept);
  add_effects(
      plan, {.codes = workspace.codes.data(),
             .cells = workspace.cells.data(),
             .stride = kMaxGamRows,
             .num_rows = block.num_rows,
             .ahead = {block.rows + block.num_rows * block.stride, block.rows_ahead * block.stride},
             .sums = sums});
  std::copy_n(sums, block.num_rows, block.scores);
}

#endif

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(has_look_up);
HWY_EXPORT(look_up_block);

GamWorkspace::GamWorkspace(const GamPlan& plan)
    : columns((kFeatureLead + kFeatureGroup) * kMaxGamRows),
      codes(std::max<std::size_t>(plan.columns.size(), 1) * kMaxGamRows),
      cells(std::max<std::size_t>(plan.num_cell_columns, 1) * kMaxGamRows),
      sums(kMaxGamRows) {}

bool can_look_up() { return HWY_DYNAMIC_DISPATCH(has_look_up)(); }

void score_tables(const GamPlan& plan, const GamBlock& block, GamWorkspace& workspace) {
  HWY_DYNAMIC_DISPATCH(look_up_block)(plan, block, workspace);
}

}  // namespace glassrank
#endif
