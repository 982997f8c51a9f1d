#pragma once
// A fast 64-bit checksum against damaged files (not against forgery).
//
// Eight lanes of h = rotl(h ^ word, 29) * odd constant over 64-bit words, in blocks of 1 MiB that
// are summed in parallel and then folded in order the same way. Every step is a bijection of the
// word for a fixed state and of the state for a fixed word: data that differ in one word only
// (so any single flipped bit) always have different checksums.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"

namespace glassrank {

// Of one range of bytes. A size that is not a multiple of 8 is filled up with zeros; the size
// itself is part of the sum.
std::uint64_t checksum(std::span<const char> bytes);

// Of several ranges at once, all their blocks in parallel: the sums checksum() gives one by one.
std::vector<std::uint64_t> checksums(std::span<const std::span<const char>> ranges,
                                     const Context& context);

// checksum() of a range that is never held whole: its pieces come in any order, from any threads at
// once. Blocks that lie within a piece are summed where they are, others are put together first.
// Memory: 8 bytes a block, and the blocks that wait for the rest of their bytes: two for each piece
// in work when neighbouring pieces come at about the same time.
class PieceChecksum {
 public:
  // `is_shared`: other machines add pieces of the same range.
  explicit PieceChecksum(std::size_t size, bool is_shared = false);

  // Bytes [offset, offset + bytes.size()) of the range. Every byte is to be added once.
  void add(std::size_t offset, std::span<const char> bytes);
  // When all have been added.
  std::uint64_t sum() const;
  // The same of a range whose pieces several machines have added, each byte on one of them; on
  // every machine. Collective: blocks that no machine has all of go through the communicator.
  std::uint64_t sum(const Communicator& communicator);

 private:
  struct Partial {
    Buffer<char> bytes;
    std::size_t num_added = 0;
  };
  void add_to_block(std::size_t block, std::size_t place, std::span<const char> bytes);
  std::size_t block_size(std::size_t block) const;

  std::size_t size_;
  bool is_shared_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> num_complete_;  // 1: the block was summed here; if is_shared_
  std::mutex mutex_;                         // of all below
  std::unordered_map<std::size_t, Partial> partials_;
  std::vector<Buffer<char>> spares_;
};

}  // namespace glassrank
