#pragma once
// Masked scores summed over many references at once.
//
// A score averaged over 500 references needs, for every leaf and mask, only how many of the
// references reach the leaf. So a mask goes down a tree with the set of its references, one bit
// each. At a node whose feature it knows, all of them go the document's way and nothing is to be
// done; otherwise the set divides by one "and" with the node's bits. At a leaf
//   sum of the mask += leaf value x references left.
// Masks that have known the same features on the way have the same set: they go on as one group.
// A group divides only at a node whose feature some of its masks know, which is rare for masks that
// know few features; and masks that know many meet few nodes that divide their references. 64 masks
// begin as one group at the root.
// Cost per tree: the nodes that groups meet without knowing them, where the rows made of masks and
// references would be 100,000.

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
  // A group of masks on the way down. The set of the n-th of those that wait is sets[n], that of
  // the group that goes on now comes after them.
  struct Group {
    std::int32_t node = 0;
    std::uint64_t masks = 0;
  };
  std::vector<Group> waiting;
  Buffer<std::uint64_t> sets;  // [group][kReferenceWords]
  std::size_t num_sets = 0;
};

// Adds to 64 sums per word of masks.
void add_means(const MeanTask& task, MeanWorkspace& workspace, Fixed* sums);

}  // namespace glassrank
