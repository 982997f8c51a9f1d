#pragma once
// From binned data to the rows of bags side by side (lanes.h): codes in the group's order, and the
// errors its bags start from.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/communicator.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/ebm/lane_boosting.h"
#include "glassrank/methods/ebm/lanes.h"
#include "glassrank/methods/pairs/fast_pairs.h"

namespace glassrank {

// `valid` may be null; it has the bins of `train`.
struct LaneData {
  const LaneOrder& order;
  const BinnedDataset& train;
  const BinnedDataset* valid = nullptr;
};

// Where a bag starts: its scores are initial + the curves' cells.
struct LaneStart {
  double initial = 0;
  std::span<const std::vector<double>> curves;  // one a feature, or none
};

// Where squared error starts: the mean grade of a bag's training rows, by weight. Collective.
double mean_grade_of(const BinnedDataset& data, std::span<const std::uint32_t> rows,
                     const Communicator& machines);

// Zeros in lanes without a bag. The data have the curves' bins. Collective.
LaneErrors lane_errors(const LaneData& data, std::span<const LaneStart> bags,
                       std::span<const std::uint32_t> features, const Communicator& machines);
// Empty if no row has a weight on any machine. Collective.
std::vector<float> lane_weights(const LaneData& data, const Communicator& machines);

// Features of at most 256 codes.
std::vector<LaneCodes<std::uint8_t>> lane_curves(const LaneData& data,
                                                 std::span<const std::uint32_t> features);
std::vector<LaneCodes<std::uint16_t>> lane_surfaces(const LaneData& data,
                                                    std::span<const RankedFeaturePair> pairs);

}  // namespace glassrank
