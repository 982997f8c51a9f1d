#pragma once
// One visit's pass over the rows of bags side by side (lanes.h): adds the step before to every
// row's errors, sums the new errors by cell for the bags that train on the row, and takes the
// squared errors of those that are judged by it. One vector serves a row in all bags.
//
//   error[row][lane] += step[step_codes[row]][lane]
//   sums[codes[row]][lane] += weight[row] * error[row][lane]     lanes that train
//   loss[lane]             += weight[row] * error[row][lane]^2   lanes that judge
//
// Errors are floats, sums and losses doubles, added in the order of the rows; neighbouring rows add
// to different copies of the sums, as two additions to one place would wait for each other. Sums
// that begin on a 64-byte border are faster: a cell is then one line of the cache.
// Instructions are chosen at run time (Highway); results are the same for all of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/methods/ebm/lanes.h"

namespace glassrank {

inline constexpr std::size_t kSumCopies = 2;

template <typename Code>
struct LanePass {
  std::span<const LaneSegment> segments;
  std::span<float> errors;         // [row][lane]
  std::span<const float> weights;  // a row; empty: all 1
  std::span<const Code> step_codes;
  std::span<const float> step;  // [cell][lane]
  std::span<const Code> codes;  // empty: nothing is summed
  std::span<double> sums;       // [cell][copy][lane], zero before
};

// Returns the losses, not divided by anything.
std::array<double, kBagLanes> pass_lanes(const LanePass<std::uint8_t>& pass);
std::array<double, kBagLanes> pass_lanes(const LanePass<std::uint16_t>& pass);

}  // namespace glassrank
