#pragma once
// The look-ups of table scoring (step 3 of gam_kernel.h): effect by effect, in order, the cell's
// value of every row of a block is fetched and added in double.
//
// In plain loads on purpose: a processor's gather instructions fetch one value after the other,
// too, and where they are guarded against Gather Data Sampling they take several times as long.
// Neighbouring curves are added together, so that a row's sum is read and written once for them;
// the additions of a row keep the order of the effects.

#include <cstddef>
#include <cstdint>

#include "glassrank/models/gam_plan.h"

namespace glassrank {

// Codes of a block of rows, by column, `stride` apart.
struct GamCodes {
  const std::uint16_t* codes = nullptr;
  std::size_t stride = 0;
  std::size_t num_rows = 0;
};

// Adds the effects [begin, end) of the plan to the sums, one a row.
void add_effects(const GamPlan& plan, std::size_t begin, std::size_t end, const GamCodes& block,
                 double* sums);

}  // namespace glassrank
