#pragma once
// The best cuts of effects of bags side by side (lanes.h), a vector lane a bag. What a cut is worth
// and what a leaf needs is step.h's; with G and H of the parts a cut has
//
//   strength = (G_low^2 H_high + G_high^2 H_low) / (H_low H_high)      = G_low^2/H_low + ...
//
// and of equal ones the lowest wins. Instructions are chosen at run time (Highway); results are the
// same for all of them. Cost: one division a place and side.

#include <array>
#include <cstddef>

#include "glassrank/methods/ebm/lanes.h"
#include "glassrank/methods/ebm/step.h"

namespace glassrank {

// Sums of the places before each place, [place][lane]; a surface's of the rectangles that end
// before (i, j), [i][j][lane].
struct LaneSums {
  const double* gradient = nullptr;
  const double* hessian = nullptr;
  const double* rows = nullptr;
};

// Per lane; strength < 0: no cut leaves two leaves.
struct LaneCuts {
  std::array<double, kBagLanes> places{};  // whole numbers
  std::array<double, kBagLanes> strengths{};
};

// Two neighbouring ranges of places a lane, [begin, middle) and [middle, end); may be empty.
struct LaneRanges {
  std::array<std::size_t, kBagLanes> begin{};
  std::array<std::size_t, kBagLanes> middle{};
  std::array<std::size_t, kBagLanes> end{};
};

// The best cut of either range.
struct LaneCutPair {
  LaneCuts below;
  LaneCuts above;
};
LaneCutPair find_lane_cuts(const LaneSums& before, const LaneRanges& ranges,
                           const StepRules& rules);

// One order of a surface's axes: places and how far apart their sums lie, in lanes' vectors.
struct LaneAxes {
  std::size_t outer = 0;
  std::size_t inner = 0;
  std::size_t outer_stride = 0;
  std::size_t inner_stride = 0;
};
// Per lane the best outer cut with its inner cuts below and above it. A cut must beat
// `strengths` as they come in.
struct LaneSurfaceCuts {
  std::array<double, kBagLanes> outer{};  // 0: none beats
  std::array<double, kBagLanes> below{};
  std::array<double, kBagLanes> above{};
  std::array<double, kBagLanes> strengths{};
};
void find_lane_surface_cuts(const LaneSums& before, const LaneAxes& axes, const StepRules& rules,
                            LaneSurfaceCuts& best);

}  // namespace glassrank
