#include "glassrank/methods/ebm/lane_step.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "glassrank/methods/ebm/lane_cut_kernel.h"

namespace glassrank {
namespace {

std::size_t sums_of(const EffectShape& shape) {
  return (shape.is_surface() ? (shape.height + 1) * (shape.width + 1) : shape.height + 1) *
         kBagLanes;
}

// Sums of the cells before every place, in the order of cutting (missing first).
void sum_curve(std::size_t num_cells, const double* cells, double* before) {
  std::fill_n(before, kBagLanes, 0.0);
  for (std::size_t p = 0; p < num_cells; ++p) {
    const double* cell = cells + cell_at(p, num_cells) * kBagLanes;
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      before[(p + 1) * kBagLanes + lane] = before[p * kBagLanes + lane] + cell[lane];
    }
  }
}

// Row by row: the sums of the rows above and those of this row.
void sum_surface(const EffectShape& shape, const double* cells, double* before) {
  const std::size_t row_size = (shape.width + 1) * kBagLanes;
  std::fill_n(before, row_size, 0.0);
  for (std::size_t i = 0; i < shape.height; ++i) {
    const double* above = before + i * row_size;
    double* row = before + (i + 1) * row_size;
    sum_curve(shape.width, cells + cell_at(i, shape.height) * shape.width * kBagLanes, row);
    for (std::size_t j = 0; j < row_size; ++j) row[j] += above[j];
  }
}

void sum_before(const EffectShape& shape, std::span<const double> cells, std::span<double> before) {
  if (shape.is_surface()) {
    sum_surface(shape, cells.data(), before.data());
  } else {
    sum_curve(shape.height, cells.data(), before.data());
  }
}

std::int32_t unit_step(const CellSum& leaf, const StepRules& rules) {
  const double step = -rules.learning_rate * leaf.gradient / leaf.hessian;
  return static_cast<std::int32_t>(
      std::lrint(std::clamp<double>(step, -double{kMostStep}, double{kMostStep})));
}

CellSum sum_at(const LaneSums& before, std::size_t place, std::size_t lane) {
  const std::size_t i = place * kBagLanes + lane;
  return {.gradient = before.gradient[i], .hessian = before.hessian[i], .rows = before.rows[i]};
}

// Places [begin, end) of a curve and the best place to cut them at; cut == end: none.
struct LaneLeaf {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t cut = 0;
  double gain = 0;
};

LaneLeaf make_leaf(const LaneSums& before, std::size_t begin, std::size_t end, const LaneCuts& cuts,
                   std::size_t lane) {
  LaneLeaf leaf{.begin = begin, .end = end, .cut = end};
  if (cuts.strengths[lane] < 0) return leaf;
  const double whole = leaf_strength(sum_at(before, end, lane) - sum_at(before, begin, lane));
  if (!is_gain(cuts.strengths[lane], whole)) return leaf;
  leaf.cut = static_cast<std::size_t>(cuts.places[lane]);
  leaf.gain = cuts.strengths[lane] - whole;
  return leaf;
}

// The leaf whose cut gains most, the first of equal ones; leaves.size() if none can be cut.
std::size_t best_leaf(std::span<const LaneLeaf> leaves) {
  std::size_t best = leaves.size();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].cut == leaves[i].end) continue;
    if (best == leaves.size() || leaves[i].gain > leaves[best].gain) best = i;
  }
  return best;
}

using LaneLeaves = std::array<std::vector<LaneLeaf>, kBagLanes>;

// All lanes cut their best leaf at the same time; lanes that cannot have empty ranges.
LaneLeaves grow_leaves(const LaneSums& before, std::size_t num_places, const StepRules& rules) {
  LaneLeaves leaves;
  LaneRanges ranges;
  ranges.end.fill(num_places);
  const LaneCutPair root = find_lane_cuts(before, ranges, rules);
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    leaves[lane].reserve(rules.max_leaves);
    leaves[lane].push_back(make_leaf(before, 0, num_places, root.above, lane));
  }
  for (std::size_t size = 1; size < rules.max_leaves; ++size) {
    std::array<std::size_t, kBagLanes> chosen{};
    bool is_cut = false;
    ranges = {};
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      chosen[lane] = best_leaf(leaves[lane]);
      if (chosen[lane] == leaves[lane].size()) continue;
      const LaneLeaf& parent = leaves[lane][chosen[lane]];
      ranges.begin[lane] = parent.begin;
      ranges.middle[lane] = parent.cut;
      ranges.end[lane] = parent.end;
      is_cut = true;
    }
    if (!is_cut) break;
    LaneCutPair cuts;  // the last leaves are not cut any more
    cuts.below.strengths.fill(-1);
    cuts.above.strengths.fill(-1);
    if (size + 1 < rules.max_leaves) cuts = find_lane_cuts(before, ranges, rules);
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      if (chosen[lane] == leaves[lane].size()) continue;
      const auto at = leaves[lane].begin() + static_cast<std::ptrdiff_t>(chosen[lane]);
      *at = make_leaf(before, ranges.begin[lane], ranges.middle[lane], cuts.below, lane);
      leaves[lane].insert(
          at + 1, make_leaf(before, ranges.middle[lane], ranges.end[lane], cuts.above, lane));
    }
  }
  return leaves;
}

void fit_curves(const LaneSums& before, std::size_t num_cells, const StepRules& rules,
                LaneStep& step) {
  const LaneLeaves leaves = grow_leaves(before, num_cells, rules);
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    step.has_step[lane] = leaves[lane].size() > 1;
    for (const LaneLeaf& leaf : leaves[lane]) {
      const std::int32_t value =
          leaves[lane].size() == 1
              ? 0
              : unit_step(sum_at(before, leaf.end, lane) - sum_at(before, leaf.begin, lane), rules);
      step.greatest[lane] = std::max(step.greatest[lane], std::abs(value));
      for (std::size_t p = leaf.begin; p < leaf.end; ++p) {
        step.values[cell_at(p, num_cells) * kBagLanes + lane] = value;
      }
    }
  }
}

// One lane's cuts of a surface; `turned`: the outer axis is the second.
struct ChosenCut {
  bool turned = false;
  std::size_t outer = 0;  // 0: none
  std::array<std::size_t, 2> inner{};
};

// Writes one lane's four leaves.
void write_surface(const LaneSums& before, const EffectShape& shape, const ChosenCut& cut,
                   const StepRules& rules, std::size_t lane, LaneStep& step) {
  std::array<std::array<std::int32_t, 2>, 2> values{};  // [side of outer][side of inner]
  const auto sum = [&](std::size_t outer, std::size_t inner) {
    const std::size_t i = cut.turned ? inner : outer;
    const std::size_t j = cut.turned ? outer : inner;
    return sum_at(before, i * (shape.width + 1) + j, lane);
  };
  const std::size_t num_outer = cut.turned ? shape.width : shape.height;
  const std::size_t num_inner = cut.turned ? shape.height : shape.width;
  for (const std::size_t side : {0, 1}) {
    const std::size_t begin = side == 0 ? 0 : cut.outer;
    const std::size_t end = side == 0 ? cut.outer : num_outer;
    const CellSum low = sum(end, cut.inner[side]) - sum(begin, cut.inner[side]);
    const CellSum whole = sum(end, num_inner) - sum(begin, num_inner);
    if (cut.outer > 0) values[side] = {unit_step(low, rules), unit_step(whole - low, rules)};
  }
  for (const auto& [low, high] : values) {
    step.greatest[lane] = std::max({step.greatest[lane], std::abs(low), std::abs(high)});
  }
  for (std::size_t i = 0; i < shape.height; ++i) {
    // Along a row of cells there are two values.
    const std::size_t side = i < cut.outer ? 0 : 1;
    const std::size_t border = cut.turned ? cut.outer : cut.inner[side];
    const std::int32_t low = cut.turned ? values[0][i < cut.inner[0] ? 0 : 1] : values[side][0];
    const std::int32_t high = cut.turned ? values[1][i < cut.inner[1] ? 0 : 1] : values[side][1];
    std::int32_t* row =
        step.values.data() + cell_at(i, shape.height) * shape.width * kBagLanes + lane;
    for (std::size_t j = 0; j < shape.width; ++j) {
      row[cell_at(j, shape.width) * kBagLanes] = j < border ? low : high;
    }
  }
}

void fit_surfaces(const LaneSums& before, const EffectShape& shape, const StepRules& rules,
                  LaneStep& step) {
  LaneSurfaceCuts best;
  const std::size_t last = shape.height * (shape.width + 1) + shape.width;
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    const CellSum whole = sum_at(before, last, lane);
    best.strengths[lane] = is_leaf(whole, rules) ? leaf_strength(whole) * (1 + 1e-12)
                                                 : std::numeric_limits<double>::infinity();
  }
  find_lane_surface_cuts(before,
                         {.outer = shape.height,
                          .inner = shape.width,
                          .outer_stride = shape.width + 1,
                          .inner_stride = 1},
                         rules, best);
  LaneSurfaceCuts turned{.strengths = best.strengths};
  find_lane_surface_cuts(before,
                         {.outer = shape.width,
                          .inner = shape.height,
                          .outer_stride = 1,
                          .inner_stride = shape.width + 1},
                         rules, turned);
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    const bool is_turned = turned.outer[lane] > 0;
    const LaneSurfaceCuts& found = is_turned ? turned : best;
    const ChosenCut cut{.turned = is_turned,
                        .outer = static_cast<std::size_t>(found.outer[lane]),
                        .inner = {static_cast<std::size_t>(found.below[lane]),
                                  static_cast<std::size_t>(found.above[lane])}};
    step.has_step[lane] = cut.outer > 0;
    write_surface(before, shape, cut, rules, lane, step);
  }
}

}  // namespace

LaneEffect::LaneEffect(const EffectShape& shape, std::span<const double> hessians,
                       std::span<const double> rows)
    : shape_(shape), hessians_(sums_of(shape)) {
  sum_before(shape, hessians, hessians_.span());
  if (rows.empty()) return;
  rows_ = Buffer<double>(sums_of(shape));
  sum_before(shape, rows, rows_.span());
}

void LaneEffect::fit(std::span<const double> gradients, const StepRules& rules,
                     std::span<double> scratch, LaneStep& step) const {
  step.values.resize(shape_.num_cells() * kBagLanes);
  step.greatest = {};
  sum_before(shape_, gradients, scratch);
  const LaneSums before{.gradient = scratch.data(),
                        .hessian = hessians_.data(),
                        .rows = rows_.size() == 0 ? hessians_.data() : rows_.data()};
  if (shape_.is_surface()) {
    fit_surfaces(before, shape_, rules, step);
  } else {
    fit_curves(before, shape_.height, rules, step);
  }
}

}  // namespace glassrank
