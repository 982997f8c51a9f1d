#pragma once
// Which values of a list pass a limit: the one thing samplers do to every document.

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

// Outputs hold whole vectors: they have room for this many beyond the values.
inline constexpr std::size_t kPickPadding = 64;

// Writes the indices of values > limit, ascending, and returns how many.
std::size_t find_above(std::span<const float> values, float limit, std::uint32_t* out);

// Values with low <= value <= high.
struct ValueRange {
  double low;
  double high;
};
std::size_t find_within(std::span<const double> values, const ValueRange& range,
                        std::uint64_t* out);

}  // namespace glassrank
