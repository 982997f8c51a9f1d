#pragma once
// Which rows are in which leaf: one array of row numbers, a range per leaf, split stably.
//
// Every leaf holds two ranges: active rows, which carry weight in the tree's histograms, and idle
// ones that only follow along (their scores and the leaf values need them).
// Cost: one pass over the leaf's rows and one byte load a row; large leaves in chunks, in parallel.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/partition_kernel.h"
#include "glassrank/boosting/tree/split.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

struct LeafRows {
  RowRange active;
  RowRange idle;
  std::size_t size() const { return active.size() + idle.size(); }
};

class RowPartition {
 public:
  RowPartition(BinnedDataset data, Context context);

  // Every row, or those given (ascending), in order; what split() divides.
  std::span<std::uint32_t> start_all();
  std::span<std::uint32_t> start(std::span<const std::uint32_t> rows);
  std::span<const std::uint32_t> rows(RowRange range) const {
    return {rows_.data() + range.begin, range.size()};
  }

  struct Halves {
    LeafRows left;
    LeafRows right;
  };
  // Reorders the leaf's ranges; rows keep their order within each half.
  Halves split(const LeafRows& leaf, const Split& split);

 private:
  struct Chunk;
  struct Counts {
    std::size_t active = 0;
    std::size_t idle = 0;
  };
  // How many go left.
  std::size_t split_range(const PartitionRule& rule, RowRange range);
  Counts split_chunks(const PartitionRule& rule, const LeafRows& leaf);

  BinnedDataset data_;
  Context context_;
  Buffer<std::uint32_t> rows_;
  // Where halves wait for their place: right ones, and left ones of a leaf divided in chunks.
  Buffer<std::uint32_t> right_;
  Buffer<std::uint32_t> left_;
};

}  // namespace glassrank
