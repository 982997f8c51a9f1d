#pragma once
// Bit-sliced scoring: a block of rows at once, one bit per row (see scoring_plan.h).
//
//   1. columns of the block: transposed, missing values replaced
//   2. per run of cuts, a vectorised search of every value; the comparisons of the search are the
//      bits of the value's place among the cuts
//   3. those bits expanded to one mask per condition: bit r says that row r goes right
//   4. per tree, the masks propagated to one mask of rows per leaf
//   5. leaf masks to leaf numbers, leaf values fetched, added in tree order in double
//
// Compiled once for each instruction set and chosen at run time; every one gives the same bits.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/models/forest/scoring_plan.h"

namespace glassrank {

inline constexpr std::size_t kMaxSlicedRows = 512;
// Features transposed at a time: a cache line of each row, and room before them for the quad of
// features that would otherwise reach past a row's end.
inline constexpr std::size_t kFeatureGroup = 16;
inline constexpr std::size_t kFeatureLead = 3;
// Words that the last vector of masks may reach past them: those of the widest vector.
inline constexpr std::size_t kSpareWords = 8;

// Where rows of one feature wait by category (sliced_categories.h).
struct CategoryMasks {
  std::vector<std::uint32_t> mask_of_code;  // all 0 between two features
  std::vector<std::uint64_t> masks;
};

// Memory for one block; made once and used again.
struct SlicedWorkspace {
  SlicedWorkspace(const ScoringPlan& plan, std::size_t width);

  Buffer<float> columns;             // a group of transposed features
  Buffer<std::uint64_t> conditions;  // one mask per condition, an empty one, and spare words
  Buffer<std::uint64_t> places;      // one mask per place of two trees
  Buffer<std::uint64_t> unions;      // one mask per 8 slots of a tree
  Buffer<double> sums;               // one per row
  CategoryMasks categories;
};

struct SlicedBlock {
  const float* rows = nullptr;
  std::size_t num_rows = 0;  // 1 .. width
  // Rows after these that will be scored next: brought to the cache while this block is scored.
  std::size_t rows_ahead = 0;
  std::size_t stride = 0;  // floats from row to row, at least the plan's num_features
  std::size_t width = 0;   // 128, 256 or 512
  double* scores = nullptr;
};

// Whether the processor has vector instructions to slice with.
bool can_slice();

void score_sliced(const ScoringPlan& plan, const SlicedBlock& block, SlicedWorkspace& workspace);

}  // namespace glassrank
