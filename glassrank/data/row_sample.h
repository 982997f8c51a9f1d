#pragma once
// Which rows stand for all when only a sample is looked at.
//
// The rows are cut into as many equal strips as there are rows to choose and one row is drawn from
// each: row(i) lies in [i N / S, (i + 1) N / S). Which one depends on (N, S, seed) alone, so every
// thread and every pass over a file agrees on the sample without sharing a list. O(1) memory.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/random.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

class RowSample {
 public:
  // `sample_rows` of `num_rows`; every row when `sample_rows` is 0 or not less than `num_rows`.
  RowSample(std::size_t num_rows, std::int64_t sample_rows, std::uint64_t seed);

  std::size_t size() const { return size_; }
  // Strictly ascending in i.
  std::size_t row(std::size_t i) const;
  // The sample's indices i whose row(i) lies in [begin, end).
  RowRange within(std::size_t begin, std::size_t end) const;

 private:
  std::size_t strip_begin(std::size_t i) const;
  std::size_t first_at_or_after(std::size_t row) const;

  std::size_t num_rows_;
  std::size_t size_;
  CounterRandom random_;
};

}  // namespace glassrank
