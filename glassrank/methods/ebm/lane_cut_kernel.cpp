#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/methods/ebm/lane_cut_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>
#include <limits>

#include <hwy/highway.h>

#include "glassrank/boosting/tree/joint_score-inl.h"
#include "glassrank/methods/ebm/lane_cut_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kBagLanes>;
using V = hn::Vec<D>;

struct Sum {
  V gradient;
  V hessian;
  V rows;
};
HWY_INLINE Sum load(const LaneSums& sums, std::size_t at) {
  return {hn::LoadU(D(), sums.gradient + at), hn::LoadU(D(), sums.hessian + at),
          hn::LoadU(D(), sums.rows + at)};
}
HWY_INLINE Sum minus(const Sum& a, const Sum& b) {
  return {hn::Sub(a.gradient, b.gradient), hn::Sub(a.hessian, b.hessian), hn::Sub(a.rows, b.rows)};
}
HWY_INLINE Sum choose(hn::Mask<D> is_first, const Sum& first, const Sum& second) {
  return {hn::IfThenElse(is_first, first.gradient, second.gradient),
          hn::IfThenElse(is_first, first.hessian, second.hessian),
          hn::IfThenElse(is_first, first.rows, second.rows)};
}

// A leaf without a hessian is none, whatever the rules.
struct Limits {
  V rows;
  V hessian;
};
HWY_INLINE Limits limits_of(const StepRules& rules) {
  const double hessian = std::max(rules.min_leaf_hessian, std::numeric_limits<double>::min());
  return {hn::Set(D(), rules.min_leaf_rows), hn::Set(D(), hessian)};
}
HWY_INLINE hn::Mask<D> are_leaves(const Sum& low, const Sum& high, const Limits& limits) {
  return hn::And(hn::Ge(hn::Min(low.rows, high.rows), limits.rows),
                 hn::Ge(hn::Min(low.hessian, high.hessian), limits.hessian));
}
HWY_INLINE V strength(const Sum& low, const Sum& high) {
  return joint_score(hn::Mul(low.gradient, low.gradient), low.hessian,
                     hn::Mul(high.gradient, high.gradient), high.hessian);
}

struct Best {
  V place;
  V strength;

  HWY_INLINE void take(hn::Mask<D> may, V found, V at) {
    const auto is_better = hn::And(may, hn::Gt(found, strength));
    strength = hn::IfThenElse(is_better, found, strength);
    place = hn::IfThenElse(is_better, at, place);
  }
  HWY_INLINE void store(LaneCuts& cuts, std::size_t lane) const {
    hn::StoreU(place, D(), cuts.places.data() + lane);
    hn::StoreU(strength, D(), cuts.strengths.data() + lane);
  }
};

HWY_INLINE Best no_cut() { return {hn::Zero(D()), hn::Set(D(), -1.0)}; }

// Sums at a place of its own in every lane.
HWY_INLINE Sum gather(const LaneSums& sums, const std::array<std::size_t, kBagLanes>& places,
                      std::size_t lane) {
  double found[3][kBagLanes];
  for (std::size_t i = 0; i < kBagLanes; ++i) {
    found[0][i] = sums.gradient[places[i] * kBagLanes + i];
    found[1][i] = sums.hessian[places[i] * kBagLanes + i];
    found[2][i] = sums.rows[places[i] * kBagLanes + i];
  }
  return {hn::LoadU(D(), found[0] + lane), hn::LoadU(D(), found[1] + lane),
          hn::LoadU(D(), found[2] + lane)};
}

// Outside a lane's ranges one of the parts has no hessian, so nothing there can be a cut.
void find_cuts(const LaneSums& before, const LaneRanges& ranges, const StepRules& rules,
               LaneCutPair& cuts) {
  const std::size_t first = std::ranges::min(ranges.begin) + 1;
  const std::size_t last = std::ranges::max(ranges.end);
  const Limits limits = limits_of(rules);
  for (std::size_t lane = 0; lane < kBagLanes; lane += hn::Lanes(D())) {
    const Sum begin = gather(before, ranges.begin, lane);
    const Sum middle = gather(before, ranges.middle, lane);
    const Sum end = gather(before, ranges.end, lane);
    double middles[kBagLanes];
    std::ranges::copy(ranges.middle, middles);
    const V middle_place = hn::LoadU(D(), middles + lane);
    Best below = no_cut();
    Best above = no_cut();
    for (std::size_t p = first; p < last; ++p) {
      const V place = hn::Set(D(), static_cast<double>(p));
      const auto is_below = hn::Lt(place, middle_place);
      const Sum here = load(before, p * kBagLanes + lane);
      const Sum low = minus(here, choose(is_below, begin, middle));
      const Sum high = minus(choose(is_below, middle, end), here);
      const auto may = are_leaves(low, high, limits);
      const V found = strength(low, high);
      below.take(hn::And(may, is_below), found, place);
      above.take(hn::AndNot(is_below, may), found, place);
    }
    below.store(cuts.below, lane);
    above.store(cuts.above, lane);
  }
}

void find_surface_cuts(const LaneSums& before, const LaneAxes& axes, const StepRules& rules,
                       LaneSurfaceCuts& best) {
  const Limits limits = limits_of(rules);
  const std::size_t outer_stride = axes.outer_stride * kBagLanes;
  const std::size_t inner_stride = axes.inner_stride * kBagLanes;
  for (std::size_t lane = 0; lane < kBagLanes; lane += hn::Lanes(D())) {
    V best_outer = hn::LoadU(D(), best.outer.data() + lane);
    V best_below = hn::LoadU(D(), best.below.data() + lane);
    V best_above = hn::LoadU(D(), best.above.data() + lane);
    V to_beat = hn::LoadU(D(), best.strengths.data() + lane);
    const std::size_t last_row = axes.outer * outer_stride + lane;
    const Sum whole = load(before, last_row + axes.inner * inner_stride);
    for (std::size_t outer = 1; outer < axes.outer; ++outer) {
      const std::size_t row = outer * outer_stride + lane;
      const Sum whole_below = load(before, row + axes.inner * inner_stride);
      const Sum whole_above = minus(whole, whole_below);
      Best below = no_cut();
      Best above = no_cut();
      for (std::size_t inner = 1; inner < axes.inner; ++inner) {
        const V place = hn::Set(D(), static_cast<double>(inner));
        const Sum low_below = load(before, row + inner * inner_stride);
        const Sum high_below = minus(whole_below, low_below);
        below.take(are_leaves(low_below, high_below, limits), strength(low_below, high_below),
                   place);
        const Sum low_above = minus(load(before, last_row + inner * inner_stride), low_below);
        const Sum high_above = minus(whole_above, low_above);
        above.take(are_leaves(low_above, high_above, limits), strength(low_above, high_above),
                   place);
      }
      const V found = hn::Add(below.strength, above.strength);
      const auto have_cuts = hn::Ge(hn::Min(below.strength, above.strength), hn::Zero(D()));
      const auto is_better = hn::And(have_cuts, hn::Gt(found, to_beat));
      to_beat = hn::IfThenElse(is_better, found, to_beat);
      best_outer = hn::IfThenElse(is_better, hn::Set(D(), static_cast<double>(outer)), best_outer);
      best_below = hn::IfThenElse(is_better, below.place, best_below);
      best_above = hn::IfThenElse(is_better, above.place, best_above);
    }
    hn::StoreU(best_outer, D(), best.outer.data() + lane);
    hn::StoreU(best_below, D(), best.below.data() + lane);
    hn::StoreU(best_above, D(), best.above.data() + lane);
    hn::StoreU(to_beat, D(), best.strengths.data() + lane);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(find_cuts);
HWY_EXPORT(find_surface_cuts);

}  // namespace

LaneCutPair find_lane_cuts(const LaneSums& before, const LaneRanges& ranges,
                           const StepRules& rules) {
  LaneCutPair cuts;
  HWY_DYNAMIC_DISPATCH(find_cuts)(before, ranges, rules, cuts);
  return cuts;
}

void find_lane_surface_cuts(const LaneSums& before, const LaneAxes& axes, const StepRules& rules,
                            LaneSurfaceCuts& best) {
  HWY_DYNAMIC_DISPATCH(find_surface_cuts)(before, axes, rules, best);
}

}  // namespace glassrank
#endif
