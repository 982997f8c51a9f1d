#pragma once
// The cells of curves and surfaces: from binned data to what boosting visits, and to axes of the
// model. Codes of binned data are cells as they are; a surface's cell is first * width + second.

#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/ebm/bag_rows.h"
#include "glassrank/methods/ebm/bagged_gam.h"
#include "glassrank/methods/ebm/cyclic.h"
#include "glassrank/methods/pairs/fast_pairs.h"

namespace glassrank {

// Points into the data, which has at most 256 codes a feature and outlives it.
class CurveCodes {
 public:
  CurveCodes(const BagData& data, std::span<const std::uint32_t> features);
  std::span<const EffectCodes<std::uint8_t>> codes() const { return codes_; }
  std::span<const EffectShape> shapes() const { return shapes_; }

 private:
  std::vector<EffectCodes<std::uint8_t>> codes_;
  std::vector<EffectShape> shapes_;
};

// Owns two bytes a row and pair.
class SurfaceCodes {
 public:
  SurfaceCodes(const BagData& data, std::span<const RankedFeaturePair> pairs);
  std::span<const EffectCodes<std::uint16_t>> codes() const { return codes_; }
  std::span<const EffectShape> shapes() const { return shapes_; }

 private:
  std::vector<std::vector<std::uint16_t>> cells_;
  std::vector<EffectCodes<std::uint16_t>> codes_;
  std::vector<EffectShape> shapes_;
};

// Adds each row's cell of every feature's table, in order.
void add_curves(const BinnedDataset& data, std::span<const std::uint32_t> features,
                std::span<const std::vector<double>> tables, std::span<double> scores);

struct BagGradients {
  std::vector<float> gradients;
  std::vector<float> hessians;
};
BagGradients gradients_of(const BinnedDataset& data, std::span<const double> scores,
                          const Objective& objective, const Context& context);

// Axes and weights of the training data, of all machines, without tables. Collective.
BaggedEffect curve_effect(const BinnedDataset& data, std::size_t feature,
                          const Communicator& machines);
BaggedEffect surface_effect(const BinnedDataset& data, const RankedFeaturePair& pair,
                            const Communicator& machines);

}  // namespace glassrank
