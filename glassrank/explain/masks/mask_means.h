#pragma once
// Masked scores summed over many references at once.
//
// A score averaged over 500 references needs, for every leaf and mask, only how many of the
// references reach the leaf. Masks that know the same of the features met so far share that set of
// references, so a descent carries groups, each some masks with their references. At a node whose
// feature the masks of a group know, the group goes the document's way; otherwise its references
// divide. At a leaf
//   sums[m] += leaf value x references of m's group.
// Cost per tree: the groups that arise. For 200 masks, 500 references and trees of 64 leaves about
// 1,700, where the rows made of them would be 100,000.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"
#include "glassrank/explain/masks/mask_columns.h"
#include "glassrank/explain/masks/mask_lanes.h"

namespace glassrank {

inline constexpr std::size_t kGroupReferenceWords = 8;  // references at once: 512

// What is summed: one document, a range of trees, all masks, 512 references. The references' bits
// have a multiple of kGroupReferenceWords words.
struct GroupTask {
  const ForestTable& table;
  BranchRow document;
  const BranchBits& references;
  const MaskColumns& masks;
  std::size_t first_tree = 0;
  std::size_t last_tree = 0;
  std::size_t first_reference_word = 0;
  std::size_t num_references = 0;  // of these, counted from first_reference_word
};

struct ReferenceGroup {
  alignas(64) std::array<std::uint64_t, kGroupReferenceWords> references;
  std::uint64_t masks;
};

// Memory for descents; made once and used again.
struct GroupWorkspace {
  struct Waiting {
    std::int32_t node = 0;
    std::size_t first = 0;  // of its groups
    std::size_t last = 0;   // behind them
  };
  // A node's groups; behind them room for those of its two children, and so on down the tree.
  std::vector<ReferenceGroup> groups;
  std::vector<Waiting> waiting;
};

// Adds to 64 sums per word of masks. Masks are taken a word at a time, each through the same tree,
// which is then at hand.
void add_means(const GroupTask& task, GroupWorkspace& workspace, Fixed* sums);

}  // namespace glassrank
