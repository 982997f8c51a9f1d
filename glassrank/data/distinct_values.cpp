#include "glassrank/data/distinct_values.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>

namespace glassrank {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000U;
constexpr std::uint32_t kZeroKey = kSignBit;

// Unsigned keys in the order of the floats: all bits of negative ones are flipped, of the others
// only the sign.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits ^ ((0U - (bits >> 31)) | kSignBit);
}

float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key ^ (((key >> 31) - 1U) | kSignBit));
}

}  // namespace

void DistinctValues::count(std::span<const float> column) {
  if (keys_.size() < column.size()) {
    keys_ = Buffer<std::uint32_t>(column.size());
    values_ = Buffer<float>(column.size());
    ends_ = Buffer<std::size_t>(column.size());
  }
  size_ = 0;
  // Zeros, the bulk of most ranking features, are counted instead of sorted.
  std::size_t num_zeros = 0;
  std::size_t num_keys = 0;
  for (const float value : column) {
    num_zeros += value == 0.0F ? 1 : 0;
    keys_[num_keys] = key_of(value);
    num_keys += static_cast<std::size_t>(value < 0.0F) | static_cast<std::size_t>(value > 0.0F);
  }
  hwy::Sorter()(keys_.data(), num_keys, hwy::SortAscending());
  const std::span<const std::uint32_t> sorted = keys_.span().first(num_keys);
  const auto zero = std::ranges::lower_bound(sorted, kZeroKey);
  add_runs({sorted.begin(), zero});
  if (num_zeros > 0) add(kZeroKey, num_zeros);
  add_runs({zero, sorted.end()});
}

void DistinctValues::add(std::uint32_t key, std::size_t count) {
  const std::size_t before = num_rows();
  values_[size_] = value_of(key);
  ends_[size_++] = before + count;
}

void DistinctValues::add_runs(std::span<const std::uint32_t> sorted) {
  if (sorted.empty()) return;
  // Every key is written where the run's end belongs; the place moves on when the run is over.
  std::size_t place = size_;
  const std::size_t before = num_rows();
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    values_[place] = value_of(sorted[i]);
    ends_[place] = before + i + 1;
    place += sorted[i] != sorted[i + 1] ? 1 : 0;
  }
  values_[place] = value_of(sorted.back());
  ends_[place] = before + sorted.size();
  size_ = place + 1;
}

}  // namespace glassrank
