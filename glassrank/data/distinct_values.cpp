#include "glassrank/data/distinct_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

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

// Least significant digit first, three digits of 11 bits; a digit all keys share is skipped.
// Returns the array that holds the result: `keys` or `other`.
std::span<std::uint32_t> radix_sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> other) {
  constexpr int kDigits = 3;
  constexpr int kDigitBits = 11;
  constexpr std::size_t kRadix = std::size_t{1} << kDigitBits;
  std::array<std::array<std::uint32_t, kRadix>, kDigits> counts{};
  const auto digit = [](std::uint32_t key, int d) { return (key >> (d * kDigitBits)) % kRadix; };
  for (const std::uint32_t key : keys) {
    for (int d = 0; d < kDigits; ++d) ++counts[d][digit(key, d)];
  }
  for (int d = 0; d < kDigits; ++d) {
    auto& starts = counts[d];
    if (starts[digit(keys.front(), d)] == keys.size()) continue;
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts) start += std::exchange(count, start);
    for (const std::uint32_t key : keys) other[starts[digit(key, d)]++] = key;
    std::swap(keys, other);
  }
  return keys;
}

std::span<std::uint32_t> sort_keys(std::span<std::uint32_t> keys, Buffer<std::uint32_t>& space) {
  // Counting digits costs thousands of steps whatever the size; 32-bit counters hold below 2^32.
  constexpr std::size_t kFew = 2000;
  if (keys.size() < kFew || keys.size() > UINT32_MAX) {
    std::ranges::sort(keys);
    return keys;
  }
  space = Buffer<std::uint32_t>(keys.size());
  return radix_sort(keys, space.span());
}

}  // namespace

DistinctValues::DistinctValues(std::span<const float> column)
    : values_(column.size()), ends_(column.size()) {
  // Zeros, the bulk of most ranking features, are counted instead of sorted.
  std::size_t num_zeros = 0;
  std::size_t num_keys = 0;
  Buffer<std::uint32_t> keys(column.size());
  for (const float value : column) {
    num_zeros += value == 0.0F ? 1 : 0;
    keys[num_keys] = key_of(value);
    num_keys += static_cast<std::size_t>(value < 0.0F) | static_cast<std::size_t>(value > 0.0F);
  }
  Buffer<std::uint32_t> space;
  const std::span<const std::uint32_t> sorted = sort_keys(keys.span().first(num_keys), space);
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
