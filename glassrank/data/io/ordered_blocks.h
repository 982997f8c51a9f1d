#pragma once
// Blocks that are made one after the other and worked on side by side, for text that must be
// unpacked in order.
//
// Each thread takes its turn to make the next block and then works on it while others make theirs:
// there are never more blocks than threads, so memory does not grow with the file. When work fails,
// the error of the lowest block is thrown: the first of the file, whatever the threads do.

#include <cstddef>
#include <exception>
#include <mutex>

#include "glassrank/base/context.h"

namespace glassrank {

// make(block, i) fills the i-th block, which one thread uses again and again, and returns false
// when there is none; the calls come one at a time, in order. work(block, i) runs concurrently.
// Block is default-constructible.
template <typename Block, typename Make, typename Work>
void run_ordered_blocks(const Context& context, Make&& make, Work&& work) {
  std::mutex mutex;
  std::size_t next = 0;
  bool is_done = false;
  std::size_t failed = 0;
  std::exception_ptr failure;
  const auto note_failure = [&](std::size_t i) {  // under the lock
    if (!failure || i < failed) {
      failed = i;
      failure = std::current_exception();
    }
    is_done = true;  // lower blocks have been made already
  };
  const auto take = [&](Block& block, std::size_t& i) {
    const std::lock_guard lock(mutex);
    if (is_done) return false;
    i = next++;
    try {
      context.check_stop();
      is_done = !make(block, i);
    } catch (...) {
      note_failure(i);
    }
    return !is_done;
  };
  context.threads->run(static_cast<std::size_t>(context.threads->count()), [&](std::size_t) {
    Block block;
    for (std::size_t i = 0; take(block, i);) {
      try {
        work(block, i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        note_failure(i);
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace glassrank
