#pragma once
// Which part of a histogram each of several machines adds up, keeps and searches.
//
// A histogram is a row of items (features, or groups of them) with values each. Items are shared
// out in order, by their size: a machine's begin with the first that begins at or behind its share.
// It gets the sums over all machines of its own items only, for half the traffic of sums for
// everybody. A program alone owns every item.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/communicator.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

class SharedBlocks {
 public:
  // Where each item begins, and where the last one ends.
  SharedBlocks(std::span<const std::size_t> begins, const Communicator& machines);

  RowRange own_items() const { return own_items_; }
  RowRange own_values() const { return own_values_; }
  bool owns(std::size_t item) const { return item >= own_items_.begin && item < own_items_.end; }
  std::span<const std::size_t> sizes() const { return sizes_; }  // per machine, in values

 private:
  RowRange own_items_;
  RowRange own_values_;
  std::vector<std::size_t> sizes_;
};

}  // namespace glassrank
