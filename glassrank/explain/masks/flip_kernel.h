#pragma once
// The inner loops of flip_events.h: documents as bits in the descents, as lanes in the sums.
// Compiled once for each instruction set and chosen at run time; every one gives the same sums.

#include <cstddef>
#include <cstdint>

#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/flip_events.h"
#include "glassrank/explain/masks/forest_table.h"

namespace glassrank {

struct FlipTask {
  const ForestTable& table;
  const FlipNode* nodes = nullptr;
  const BranchBits& documents;
  std::size_t first_word = 0;           // of the documents' bits
  FlipDocuments all = {};               // the documents there are
  const std::uint8_t* known = nullptr;  // by feature: is it in S?
  std::uint64_t known_bits = 0;         // of S: bit feature % 64
  std::size_t first_tree = 0;
  std::size_t last_tree = 0;
};

// Adds the trees' sums with S to workspace.base, and what each feature changes to workspace.sums.
void add_flips(const FlipTask& task, FlipWorkspace& workspace);

}  // namespace glassrank
