#pragma once
// Some bins of a feature of categories: those that go left at a split.

#include <array>
#include <cstddef>
#include <cstdint>

namespace glassrank {

class BinSet {
 public:
  static constexpr std::size_t kMostBins = 256;  // with the missing one (bin_edges.h)

  void add(std::size_t bin) { words_[bin / 64] |= std::uint64_t{1} << (bin % 64); }
  bool contains(std::size_t bin) const {
    return bin < kMostBins && (words_[bin / 64] >> (bin % 64) & 1) != 0;
  }
  bool operator==(const BinSet&) const = default;

 private:
  std::array<std::uint64_t, kMostBins / 64> words_ = {};
};

}  // namespace glassrank
