#pragma once
// The inner loops of masked scoring: many masks at once, one bit or lane each.
//
// A row made of a document and a reference goes the way of both at a node where they agree. Only a
// node where they differ divides the masks: those that know its feature go the document's way, the
// others the reference's. So one descent takes all masks to the few leaves that the two can reach
// together, and each leaf's value is added to the sums of its masks.
//   cost per tree: leaves reached x masks / 8 masked additions
// Compiled once for each instruction set and chosen at run time; whole numbers, so every one gives
// the same sums.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/masks/mask_columns.h"

namespace glassrank {

// A value for the masks whose bit is set.
struct MaskedTerm {
  const std::uint64_t* where = nullptr;
  Fixed value = 0;
};

// sums[m] += the values of all terms with bit m. `num_words` is a multiple of 8, and there are 64
// sums per word.
void add_terms(std::span<const MaskedTerm> terms, std::size_t num_words, Fixed* sums);

// A row of a BranchBits.
struct BranchRow {
  const BranchBits* bits = nullptr;
  std::size_t row = 0;
};

// Memory for one descent; made once and used again.
struct LaneWorkspace {
  LaneWorkspace(const ForestTable& table, const MaskColumns& masks);

  struct Waiting {
    std::int32_t node = 0;
    std::uint64_t* masks = nullptr;
  };
  Buffer<std::uint64_t> bits;  // a set of masks per leaf of the largest tree
  std::vector<Waiting> waiting;
  std::vector<MaskedTerm> terms;
  // Look-ups of leaf values that wait to be done together (leaf_lookup-inl.h).
  static constexpr std::size_t kLookups = 4;
  std::size_t num_lookups = 0;
  Buffer<std::uint8_t> numbers;  // by look-up and mask: which value
  Buffer<Fixed> tables;          // by look-up: eight values
};

struct LaneRows {
  BranchRow document;
  BranchRow reference;
  std::size_t first_tree = 0;
  std::size_t last_tree = 0;
};

// sums[m] += the masked score of document and reference under mask m, by these trees alone and
// without the base score.
void add_forest(const ForestTable& table, const LaneRows& rows, const MaskColumns& masks,
                LaneWorkspace& workspace, Fixed* sums);

}  // namespace glassrank
