#pragma once
// The inner loop of binning: the bins of one column's values in a block of rows.
//
// The cuts form a static B-tree whose nodes are one vector register wide: level 0 holds the cuts,
// each higher level the last entry of every node below. A node is searched by one comparison
// with all its entries and a count; 255 cuts take two steps with 16 lanes, three with 8. (A binary
// search with gathered cuts is three times slower on processors with the gather mitigations.)
// Instructions are chosen at run time for the processor at hand (Highway); every choice gives the
// same codes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"

namespace glassrank {

// One feature's cuts, laid out for the processor at hand. Levels are padded with +infinity, which
// no value exceeds.
class SearchTable {
 public:
  explicit SearchTable(std::span<const float> cuts);
  std::size_t num_levels() const { return levels_.size(); }
  // Level 0 is the lowest; the highest is a single node.
  const float* level(std::size_t i) const { return entries_.data() + levels_[i]; }
  std::size_t missing_bin() const { return missing_bin_; }

 private:
  std::size_t missing_bin_;
  std::vector<std::size_t> levels_;  // where each begins in entries_
  Buffer<float> entries_;
};

// Every `stride`-th value from `first` on.
struct StridedColumn {
  const float* first;
  std::size_t stride;
  std::size_t size;
};

// Writes one code per value; returns how many values are missing.
std::size_t search_bins(const SearchTable& table, StridedColumn values, std::uint8_t* codes);
std::size_t search_bins(const SearchTable& table, StridedColumn values, std::uint16_t* codes);

}  // namespace glassrank
