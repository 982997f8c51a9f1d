#pragma once
// Cyclic boosting of a group of bags side by side under squared error: all bags visit the same
// effect in the same pass over the rows (lanes.h), each for itself as cyclic.h says.
//
// A pass adds the step of the visit before, gives the losses after it, and the sums of the next
// effect; a round ends with a pass that only adds and measures. Bags that are done stay in their
// lanes, no longer listened to, until all are. Asked to stop, every bag still in work ends with the
// round before and its best tables so far.
// Errors and steps are integers of a unit, a power of two small beside the first errors, as floats
// have: their sums over rows are exact, on any number of threads and machines (collective). Weights
// and squares are rounded to units of their own (fixed_point.h). A bag whose errors outgrow 32 bits
// takes no more steps, and its losses are NaN.
// Cost: a pass costs as much for four bags as for one; memory 4 bytes a row and lane, and 1
// (curves) or 2 (surfaces) a row and effect. Machines add up 32 bytes a cell and visit.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/methods/ebm/cyclic_bag.h"
#include "glassrank/methods/ebm/lanes.h"

namespace glassrank {

// The cell of every row of the order in one effect.
template <typename Code>
struct LaneCodes {
  std::vector<Code> codes;
  EffectShape shape;
};

// score - grade, as whole numbers of `unit`, [row][lane].
struct LaneErrors {
  std::vector<std::int32_t> values;
  double unit = 1;
};
// For errors no larger than that on any machine: they have room to grow 32 times.
double unit_of_errors(double greatest);

template <typename Code>
struct LaneRows {
  std::span<const LaneSegment> segments;
  LaneErrors errors;
  std::vector<float> weights;  // a row; empty: all 1
  std::vector<LaneCodes<Code>> effects;
};

// Called after a round of a lane with how many are done and the loss; false: no more of them for
// the lane. May be empty.
using OnLaneRound = std::function<bool(std::size_t lane, std::size_t num_rounds, double loss)>;

// One result a bag. Losses are NaN for bags that no row judges. The rows are passed over in
// `num_parts` at once.
std::vector<CyclicResult> boost_lanes(LaneRows<std::uint8_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context, std::size_t num_parts = 1);
std::vector<CyclicResult> boost_lanes(LaneRows<std::uint16_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context, std::size_t num_parts = 1);

}  // namespace glassrank
