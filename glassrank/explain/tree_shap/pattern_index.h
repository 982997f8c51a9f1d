#pragma once
// The different ones among the patterns of a block of rows: an open hash table that is emptied in
// no time. Short patterns are their own hash and never collide.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glassrank {

class PatternIndex {
 public:
  static constexpr std::size_t kMaxPatterns = 512;

  void clear() {
    patterns_.clear();
    ++round_;
  }
  const std::vector<std::uint64_t>& patterns() const { return patterns_; }

  // Its number among the different patterns, in order of appearance.
  std::size_t number_of(std::uint64_t pattern) {
    std::size_t at = pattern < kSize ? pattern : pattern * 0x9E3779B97F4A7C15ULL >> (64 - kBits);
    for (;; at = (at + 1) % kSize) {
      Entry& entry = entries_[at];
      if (entry.round != round_) {
        entry = {.round = round_, .number = static_cast<std::uint32_t>(patterns_.size())};
        patterns_.push_back(pattern);
        return entry.number;
      }
      if (patterns_[entry.number] == pattern) return entry.number;
    }
  }

 private:
  static constexpr std::size_t kBits = 11;
  static constexpr std::size_t kSize = std::size_t{1} << kBits;  // a quarter full at most

  struct Entry {
    std::uint64_t round = 0;
    std::uint32_t number = 0;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(kSize);
  std::vector<std::uint64_t> patterns_;
  std::uint64_t round_ = 0;
};

}  // namespace glassrank
