#pragma once
// Which way each of some rows goes at every node of a forest: one bit per row and node.
//
// Masked scoring asks this over and over for the same rows, the documents and the references, so it
// is settled once. Rows are lanes: a node compares all of them with its threshold.
// Cost: nodes x rows / 16 vector steps; memory nodes x rows / 8 bytes.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/masks/forest_table.h"

namespace glassrank {

class BranchBits {
 public:
  // A node has a multiple of `word_multiple` words. Rows may have more features than the forest.
  BranchBits(const ForestTable& table, MatrixView<const float> rows, std::size_t word_multiple,
             const Context& context);

  std::size_t num_words() const { return num_words_; }
  // Bit r: row r goes left at the node (numbered through all trees). Bits beyond the last row may
  // be anything.
  const std::uint64_t* at(std::size_t node) const { return bits_.data() + node * num_words_; }
  bool goes_left(std::size_t node, std::size_t row) const {
    return (at(node)[row / 64] >> (row % 64) & 1) != 0;
  }

 private:
  std::size_t num_words_;
  Buffer<std::uint64_t> bits_;
};

}  // namespace glassrank
