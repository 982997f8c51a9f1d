#pragma once
// The look-ups of table scoring (step 4 of gam_kernel.h): effect by effect, in order, the cell's
// value of every row of a block is fetched and added in double.
//
// In plain loads on purpose: gather instructions took about three cycles a value where we measured.
// Neighbouring effects are added together, so that a row's sum is read and written once for them;
// the additions of a row keep the order of the effects. Looking up needs no memory beyond the
// cache, so the rows of the next block are fetched meanwhile, a few lines at a time.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/models/gam/gam_plan.h"

namespace glassrank {

struct GamLookupBlock {
  const std::uint16_t* codes = nullptr;  // by column, `stride` apart
  const std::uint16_t* cells = nullptr;  // of surfaces that are not wide, likewise
  std::size_t stride = 0;
  std::size_t num_rows = 0;
  std::span<const float> ahead;  // to be brought to the cache
  double* sums = nullptr;        // one a row
};

// Adds all effects of the plan to the sums.
void add_effects(const GamPlan& plan, const GamLookupBlock& block);

}  // namespace glassrank
