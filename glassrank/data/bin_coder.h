#pragma once
// Fills the code columns of a BinnedDataset from rows of floats, block by block.
//
// add() may be called concurrently for disjoint blocks of rows, in any order; when every row has
// been added, finish() gives the data set.

#include <atomic>
#include <memory>
#include <vector>

#include "glassrank/base/large_buffer.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/data/bin_search.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

class BinCoder {
 public:
  // Throws Error{kInput} if the number of features differs.
  BinCoder(std::shared_ptr<const RowTable> table, std::shared_ptr<const BinEdges> edges,
           const Context& context);
  ~BinCoder();
  BinCoder(const BinCoder&) = delete;
  BinCoder& operator=(const BinCoder&) = delete;

  // Rows [first_row, first_row + rows.num_rows()).
  void add(std::size_t first_row, MatrixView<const float> rows);
  // With the counts of all machines: collective.
  BinnedDataset finish(const Context& context);

 private:
  void add_tile(std::size_t first_row, MatrixView<const float> rows,
                std::vector<std::uint64_t>& num_missing);

  std::shared_ptr<const RowTable> table_;
  std::shared_ptr<const BinEdges> edges_;
  CodeLayout layout_;
  std::vector<SearchTable> search_;
  std::shared_ptr<LargeBuffer<std::uint8_t>> codes_;
  std::vector<std::atomic<std::uint64_t>> num_missing_;
};

}  // namespace glassrank
