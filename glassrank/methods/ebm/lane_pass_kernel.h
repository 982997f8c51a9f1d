#pragma once
// One visit's pass over the rows of bags side by side (lanes.h): adds the step before to every
// row's errors, sums the new errors by cell for the bags that train on the row, and takes the
// squared errors of those that are judged by it. One vector serves a row in all bags.
//
//   error[row][lane] += step[step_codes[row]][lane]
//   sums[codes[row]][lane] += weight[row] * error[row][lane]     lanes that train
//   loss[lane]             += weight[row] * error[row][lane]^2   lanes that judge
//
// All are integers, so that sums are exact and rows may lie on any machine or thread: errors of a
// unit that the caller knows, products with weights and squares of units of their own (LaneUnits).
// Neighbouring rows add to different copies of the sums, as two additions to one place would wait
// for each other. Sums that begin on a 64-byte border are faster: a cell is then one line of the
// cache. Instructions are chosen at run time (Highway); results are the same for all of them.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/math/fixed_point.h"
#include "glassrank/methods/ebm/lanes.h"

namespace glassrank {

inline constexpr std::size_t kSumCopies = 2;

// Of sums over rows; quick (fixed_point.h). Squares without weights are rounded down, which takes
// a shift.
struct LaneUnits {
  FixedPoint sums;    // of weight * error; without weights that of the errors
  FixedPoint losses;  // 1 or more

  int loss_shift() const { return -std::ilogb(losses.up()); }
};

template <typename Code>
struct LanePass {
  std::span<const LaneSegment> segments;
  LaneUnits units;
  std::span<std::int32_t> errors;  // [row][lane]
  std::span<const float> weights;  // a row; empty: all 1
  std::span<const Code> step_codes;
  std::span<const std::int32_t> step;  // [cell][lane]
  std::span<const Code> codes;         // empty: nothing is summed
  std::span<std::int64_t> sums;        // [cell][copy][lane], zero before
};

// Returns the losses, not divided by anything.
using LaneLosses = std::array<std::int64_t, kBagLanes>;
LaneLosses pass_lanes(const LanePass<std::uint8_t>& pass);
LaneLosses pass_lanes(const LanePass<std::uint16_t>& pass);

}  // namespace glassrank
