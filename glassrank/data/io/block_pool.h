#pragma once
// Room for the blocks that a pass over a RowSource has in flight, used again from block to block:
// about as many blocks as there are threads.

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "glassrank/base/buffer.h"

namespace glassrank {

class BlockPool {
 public:
  float* take(std::size_t size) {
    const std::scoped_lock lock(mutex_);
    auto found = std::ranges::find_if(
        blocks_, [&](const Block& b) { return !b.in_use && b.values.size() >= size; });
    if (found == blocks_.end()) {
      // Smaller ones would only pile up beside it.
      std::erase_if(blocks_, [](const Block& b) { return !b.in_use; });
      blocks_.push_back({.values = Buffer<float>(size), .in_use = false});
      found = blocks_.end() - 1;
    }
    found->in_use = true;
    return found->values.data();
  }
  void give_back(const float* rows) {
    const std::scoped_lock lock(mutex_);
    std::ranges::find_if(blocks_, [&](const Block& b) { return b.values.data() == rows; })->in_use =
        false;
  }

 private:
  struct Block {
    Buffer<float> values;
    bool in_use;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

}  // namespace glassrank
