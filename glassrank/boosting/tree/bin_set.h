#pragma once
// Some bins of a feature of categories: those that go left at a split.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glassrank {

class BinSet {
 public:
  BinSet() = default;
  // Of words that words() gave.
  explicit BinSet(std::span<const std::uint64_t> words) : words_(words.begin(), words.end()) {}

  void add(std::size_t bin) {
    if (bin / 64 >= words_.size()) words_.resize(bin / 64 + 1);
    words_[bin / 64] |= std::uint64_t{1} << (bin % 64);
  }
  bool contains(std::size_t bin) const {
    return bin / 64 < words_.size() && (words_[bin / 64] >> (bin % 64) & 1) != 0;
  }
  std::span<const std::uint64_t> words() const { return words_; }
  bool operator==(const BinSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;  // none behind the greatest bin: equal sets have equal words
};

}  // namespace glassrank
