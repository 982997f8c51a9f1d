#pragma once
// Masked scores summed over many references at once.
//
// A score averaged over 500 references needs, for every leaf and mask, only how many of the
// references reach the leaf. So a mask goes down a tree with the set of its references, one bit
// each. At a node whose feature it knows, all of them go the document's way and nothing is to be
// done; otherwise the set divides by one "and" with the node's bits. At a leaf
//   sum of the mask += leaf value x references left.
// 64 masks are at a node together: which of them are still there, and which know the feature, are
// words, so that only those that divide are touched.
// Cost per tree: the nodes that masks meet without knowing them, some 10 for each of 200 masks,
// where the rows made of masks and references would be 100,000.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/masks/mask_columns.h"
#include "glassrank/explain/masks/mask_lanes.h"

namespace glassrank {

inline constexpr std::size_t kReferenceWords = 8;  // references at once: 512

// What is summed: one document, a range of trees, all masks, 512 references. The references' bits
// have a multiple of kReferenceWords words.
struct MeanTask {
  const ForestTable& table;
  BranchRow document;
  const BranchBits& references;
  const MaskColumns& masks;
  std::size_t first_tree = 0;
  std::size_t last_tree = 0;
  std::size_t first_reference_word = 0;
  std::size_t num_references = 0;  // of these, counted from first_reference_word
};

// Memory for descents; made once and used again.
struct MeanWorkspace {
  // The side of a node that the document does not go to.
  struct Waiting {
    std::int32_t node = 0;
    std::uint64_t masks = 0;
    std::size_t level = 0;  // where the sets of these masks are
  };
  std::vector<Waiting> waiting;
  Buffer<std::uint64_t> sets;  // [level][mask][kReferenceWords]
  std::size_t num_levels = 0;
  Buffer<std::uint64_t> parts;  // [mask][kReferenceWords]: sums, in as many parts as words
};

// Adds to 64 sums per word of masks.
void add_means(const MeanTask& task, MeanWorkspace& workspace, Fixed* sums);

}  // namespace glassrank
