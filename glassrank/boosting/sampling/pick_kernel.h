#pragma once
// What samplers do to every document of a list: find what separates the highest scores, and which
// documents lie beyond two borders.

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

// Vectors are read and written whole: values and outputs have room for this many beyond the values.
inline constexpr std::size_t kPickPadding = 64;

struct ValueRange {
  double low;
  double high;
};

// Writes the indices of values <= low or >= high, ascending, and returns how many.
std::size_t find_outside(std::span<const double> values, const ValueRange& range,
                         std::uint64_t* out);

// What divides the `count` highest values from the others: they are those above `value` and the
// first `num_equal` of those equal to it. Found by bisection, and by going from value to value
// where equal ones stand in its way. NaNs are no values. 0 < count < number of values.
struct ValueBorder {
  double value = 0;
  std::size_t num_equal = 0;
};
ValueBorder separate_highest(std::span<const double> values, std::size_t count);

// Of the values equal to `value`, in order, those numbered [begin, end) become NaN.
struct NumberRange {
  std::size_t begin;
  std::size_t end;
};
void lose_equal(std::span<double> values, double value, NumberRange lost);

// Writes the indices of values that are not within (low, high], NaNs among them,
// ascending, and returns how many.
std::size_t find_not_within(std::span<const double> values, const ValueRange& range,
                            std::uint32_t* out);

}  // namespace glassrank
