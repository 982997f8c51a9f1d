#pragma once
// The inner loops of table scoring: a block of rows at once (see gam_plan.h).
//
//   1. columns of the block, transposed in groups of features
//   2. the code of every value, searched in a tree of cuts held in registers
//   3. the cell of every surface that is not wide, by maps of the codes, in registers if they fit
//   4. effect by effect, in order: the cell's value of every row fetched and added in double
//      (gam_lookup.h)
//
// Compiled once for each instruction set and chosen at run time; every one gives the same bits.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/buffer.h"
#include "glassrank/models/gam/gam_plan.h"

namespace glassrank {

inline constexpr std::size_t kMaxGamRows = 128;  // a multiple of every vector's 16-bit lanes

// Memory for one block; made once and used again.
struct GamWorkspace {
  explicit GamWorkspace(const GamPlan& plan);

  Buffer<float> columns;        // a group of transposed features
  Buffer<std::uint16_t> codes;  // by column, kMaxGamRows each
  Buffer<std::uint16_t> cells;  // by surface that is not wide, likewise
  Buffer<double> sums;          // one per row
};

struct GamBlock {
  const float* rows = nullptr;
  std::size_t num_rows = 0;  // 1 .. kMaxGamRows
  // Rows after these that will be scored next: brought to the cache while effects are looked up.
  std::size_t rows_ahead = 0;
  std::size_t stride = 0;  // floats from row to row, at least the plan's num_features
  double* scores = nullptr;
};

// Whether the processor has vector instructions for it.
bool can_look_up();

// The plan must fit (GamPlan::fits).
void score_tables(const GamPlan& plan, const GamBlock& block, GamWorkspace& workspace);

}  // namespace glassrank
