#include "glassrank/data/io/checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace glassrank {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kLanes = 8;
constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;  // odd: multiplying is a bijection

std::uint64_t step(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state ^ word, 29) * kMultiplier;
}

std::uint64_t load_word(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

std::uint64_t block_sum(std::span<const char> bytes) {
  constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);
  std::array<std::uint64_t, kLanes> lanes;
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = kMultiplier * (i + 1);
  const char* next = bytes.data();
  const char* const stripes_end = next + bytes.size() / kStripe * kStripe;
  for (; next != stripes_end; next += kStripe) {
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = step(lanes[i], load_word(next + 8 * i));
  }
  std::array<char, kStripe> rest{};
  std::copy(next, bytes.data() + bytes.size(), rest.begin());
  std::uint64_t sum = step(kMultiplier, bytes.size());
  for (std::size_t i = 0; i < kLanes; ++i) {
    sum = step(sum, step(lanes[i], load_word(rest.data() + 8 * i)));
  }
  return sum ^ (sum >> 32);
}

std::uint64_t fold(std::span<const std::uint64_t> block_sums) {
  std::uint64_t sum = kMultiplier;
  for (const std::uint64_t block : block_sums) sum = step(sum, block);
  return sum ^ (sum >> 32);
}

}  // namespace

std::uint64_t checksum(std::span<const char> bytes) {
  std::vector<std::uint64_t> sums;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock) {
    sums.push_back(block_sum(bytes.subspan(begin, std::min(kBlock, bytes.size() - begin))));
  }
  return fold(sums);
}

std::vector<std::uint64_t> checksums(std::span<const std::span<const char>> ranges,
                                     const Context& context) {
  std::vector<std::span<const char>> blocks;
  for (const auto range : ranges) {
    for (std::size_t begin = 0; begin < range.size(); begin += kBlock) {
      blocks.push_back(range.subspan(begin, std::min(kBlock, range.size() - begin)));
    }
  }
  std::vector<std::uint64_t> sums(blocks.size());
  context.threads->run(blocks.size(), [&](std::size_t i) { sums[i] = block_sum(blocks[i]); });
  std::vector<std::uint64_t> result;
  std::span<const std::uint64_t> rest = sums;
  for (const auto range : ranges) {
    const std::size_t num_blocks = (range.size() + kBlock - 1) / kBlock;
    result.push_back(fold(rest.first(num_blocks)));
    rest = rest.subspan(num_blocks);
  }
  return result;
}

PieceChecksum::PieceChecksum(std::size_t size, bool is_shared)
    : size_(size),
      is_shared_(is_shared),
      sums_((size + kBlock - 1) / kBlock),
      num_complete_(is_shared ? sums_.size() : 0) {}

std::size_t PieceChecksum::block_size(std::size_t block) const {
  return std::min(kBlock, size_ - block * kBlock);
}

void PieceChecksum::add(std::size_t offset, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const std::size_t block = offset / kBlock;
    const std::size_t place = offset % kBlock;
    const auto own = bytes.first(std::min(bytes.size(), kBlock - place));
    if (own.size() == block_size(block)) {
      sums_[block] = block_sum(own);
      if (is_shared_) num_complete_[block] = 1;
    } else {
      add_to_block(block, place, own);
    }
    offset += own.size();
    bytes = bytes.subspan(own.size());
  }
}

void PieceChecksum::add_to_block(std::size_t block, std::size_t place,
                                 std::span<const char> bytes) {
  char* to = nullptr;
  {
    const std::lock_guard lock(mutex_);
    Partial& partial = partials_[block];
    const bool is_new = partial.bytes.size() == 0;
    if (is_new && !spares_.empty()) {
      partial.bytes = std::move(spares_.back());
      spares_.pop_back();
    }
    if (partial.bytes.size() == 0) partial.bytes = Buffer<char>(kBlock);
    // What other machines have is added to what is here.
    if (is_new && is_shared_) std::ranges::fill(partial.bytes.span(), 0);
    to = partial.bytes.data() + place;
  }
  std::ranges::copy(bytes, to);
  Buffer<char> complete;
  {
    const std::lock_guard lock(mutex_);
    Partial& partial = partials_[block];
    partial.num_added += bytes.size();
    if (partial.num_added < block_size(block)) return;
    complete = std::move(partial.bytes);
    partials_.erase(block);
  }
  if (is_shared_) num_complete_[block] = 1;
  sums_[block] = block_sum(std::as_const(complete).span().first(block_size(block)));
  const std::lock_guard lock(mutex_);
  spares_.push_back(std::move(complete));
}

std::uint64_t PieceChecksum::sum() const { return fold(sums_); }

std::uint64_t PieceChecksum::sum(const Communicator& communicator) {
  if (!is_shared_) return sum();
  communicator.sum(std::span(sums_));  // 0 but on one machine
  communicator.sum(std::span(num_complete_));
  std::vector<std::int64_t> words(kBlock / sizeof(std::int64_t));
  for (std::size_t block = 0; block < sums_.size(); ++block) {
    if (num_complete_[block] > 0) continue;
    std::ranges::fill(words, 0);
    const auto own = partials_.find(block);
    if (own != partials_.end()) {
      std::memcpy(words.data(), own->second.bytes.data(), block_size(block));
    }
    communicator.sum(std::span(words));  // each byte is 0 but on one machine
    sums_[block] = block_sum({reinterpret_cast<const char*>(words.data()), block_size(block)});
  }
  partials_.clear();
  return sum();
}

}  // namespace glassrank
