#pragma once
// The distinct values of a column and how often they occur.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/base/buffer.h"

namespace glassrank {

class DistinctValues {
 public:
  DistinctValues() = default;
  explicit DistinctValues(std::span<const float> column) { count(column); }
  // By a vectorised sort of the bits, O(n log n). Memory is used again from column to column.
  void count(std::span<const float> column);

  std::size_t size() const { return size_; }
  // Ascending, without NaN; -0 is +0.
  std::span<const float> values() const { return values_.span().first(size_); }
  // ends()[i]: how many of the column's values are <= values()[i].
  std::span<const std::size_t> ends() const { return ends_.span().first(size_); }
  // How many values are not missing.
  std::size_t num_rows() const { return size_ == 0 ? 0 : ends_[size_ - 1]; }

 private:
  void add_runs(std::span<const std::uint32_t> sorted);
  void add(std::uint32_t key, std::size_t count);

  std::size_t size_ = 0;
  Buffer<std::uint32_t> keys_;
  Buffer<float> values_;
  Buffer<std::size_t> ends_;
};

}  // namespace glassrank
