#pragma once
// The inner loop of split finding: 16 features side by side, code after code.
//
// Only the best cut is found here; its gain is then computed in double (packed_search.h).
// Everything is in quantised units: with integer sums G, H left (l) and right (r) of a code,
//   score = t(G_l)^2 / (H_l + l2) + t(G_r)^2 / (H_r + l2),   t shrinks by l1,
// as joint_score() of tree/split.h, in float32, without fused operations: each lane computes the
// same bits on every instruction set (chosen at run time, Highway). Per lane the first code with
// the largest score wins.

#include <array>
#include <cstddef>
#include <cstdint>

#include "glassrank/boosting/histogram/plane_kernel.h"
#include "glassrank/boosting/histogram/row_blocks.h"

namespace glassrank {

struct ScanInput {
  ConstPlanes planes;  // [code][16], 64-byte aligned
  // Splits after codes 0 .. num_splits - 1 are tried, per lane; 0 leaves a lane out. If is_ranged,
  // those after codes before first_split are not.
  alignas(64) std::array<std::int32_t, kLanes> num_splits = {};
  alignas(64) std::array<std::int32_t, kLanes> first_split = {};
  bool is_ranged = false;
  // Sums that are left from the start (missing values).
  alignas(64) std::array<std::int32_t, kLanes> start_gradient = {};
  alignas(64) std::array<std::int32_t, kLanes> start_hessian = {};
  std::int32_t total_gradient = 0;
  std::int32_t total_hessian = 0;
  std::int32_t min_hessian = 1;  // on either side; at least 1
  float l1 = 0;
  float l2 = 0;
};

struct ScanOutput {
  alignas(64) std::array<float, kLanes> score;        // negative: no split
  alignas(64) std::array<std::int32_t, kLanes> code;  // the last one left
};

void scan_group(const ScanInput& input, ScanOutput& output);
// The definition.
void scan_group_plain(const ScanInput& input, ScanOutput& output);

}  // namespace glassrank
