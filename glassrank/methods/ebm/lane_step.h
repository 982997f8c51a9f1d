#pragma once
// One step of cyclic boosting (step.h) of one effect for all bags of a group at once (lanes.h).
//
// Under squared error hessians and row counts of cells never change: their sums before every place
// are taken once. A visit takes those of the gradients and looks for the best cuts of all bags
// together (lane_cut_kernel.h). Gradients and steps are of the unit of the errors.
// Cost: a vector operation or two a cell and leaf; of surfaces 4 divisions a cell.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/methods/ebm/cyclic_bag.h"
#include "glassrank/methods/ebm/lanes.h"

namespace glassrank {

// In units: as large as an error may become, so that there is room for no step that was cut off.
inline constexpr std::int32_t kMostStep = std::numeric_limits<std::int32_t>::max();

// What an effect adds in every bag, kMostStep at most.
struct LaneStep {
  std::vector<std::int32_t> values;  // [cell][lane]; zeros in lanes without a step
  std::array<bool, kBagLanes> has_step{};
  std::array<std::int32_t, kBagLanes> greatest{};  // value, in size
};

// The fixed part of one effect and the fit of its steps.
class LaneEffect {
 public:
  // Of the training rows of each lane, [cell][lane]. Without `rows` they are the hessians (no
  // weights).
  LaneEffect(const EffectShape& shape, std::span<const double> hessians,
             std::span<const double> rows);

  const EffectShape& shape() const { return shape_; }
  // `gradients` are [cell][lane]; `scratch` has room for num_sums() doubles.
  void fit(std::span<const double> gradients, const StepRules& rules, std::span<double> scratch,
           LaneStep& step) const;
  std::size_t num_sums() const { return hessians_.size(); }

 private:
  EffectShape shape_;
  Buffer<double> hessians_;  // before every place (lane_cut_kernel.h)
  Buffer<double> rows_;      // empty: as the hessians
};

}  // namespace glassrank
