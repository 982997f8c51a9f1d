#pragma once
// Which scores of a list lie beyond two borders: the one thing samplers do to every document.

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

// Outputs hold whole vectors: they have room for this many beyond the values.
inline constexpr std::size_t kPickPadding = 64;

struct ValueRange {
  double low;
  double high;
};

// Writes the indices of values <= low or >= high, ascending, and returns how many.
std::size_t find_outside(std::span<const double> values, const ValueRange& range,
                         std::uint64_t* out);

}  // namespace glassrank
