#pragma once
// The inner loop of row partitioning: which rows of a leaf go left at a split. Of RowPartition, and
// of unsampled rows.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/boosting/tree/bin_set.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

struct PartitionRule {
  BinColumn column;
  std::uint32_t bin = 0;        // codes up to here go left,
  std::uint32_t also_left = 0;  // and this one;
  const BinSet* set = nullptr;  // if there is one, its codes do and no others

  bool goes_left(std::size_t code) const {
    return set != nullptr ? set->contains(code) : code <= bin || code == also_left;
  }
};

// Writes the rows that go left to `left`, which may be the rows' own place, the others to `right`,
// both in order; returns how many went left. Both outputs have room for every row.
std::size_t partition_rows(const PartitionRule& rule, std::span<const std::uint32_t> rows,
                           std::uint32_t* left, std::uint32_t* right);

// The definition, row by row.
std::size_t partition_rows_plain(const PartitionRule& rule, std::span<const std::uint32_t> rows,
                                 std::uint32_t* left, std::uint32_t* right);

}  // namespace glassrank
