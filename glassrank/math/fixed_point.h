#pragma once
// Real numbers as integers of a common unit, so that their sums are exact in any order.
//
//   x -> round(x * 2^k), the largest k for which `count` numbers up to `greatest` in size add up to
//   less than 2^62.
// The unit is a power of two: a number whose digits reach no further loses nothing, another one
// half a unit at most, 2^-63 * count of the greatest number. For tables with many sums, where
// exact_sum.h would be too large. `greatest` and `count` are those of all machines.
//
// Loops that cannot afford to_units() add kShift to x * up(), which rounds to the same integer: the
// low bits of the sum are the integer's. With a count of kQuickCount or more all numbers have room
// there.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace glassrank {

class FixedPoint {
 public:
  FixedPoint() = default;
  FixedPoint(double greatest, std::uint64_t count) {
    if (!(greatest > 0)) return;
    int greatest_bits = 0;
    std::frexp(greatest, &greatest_bits);  // greatest <= 2^greatest_bits
    int count_bits = 0;
    std::frexp(static_cast<double>(std::max<std::uint64_t>(count, 1)), &count_bits);
    // Beyond it the unit or its inverse would be no normal number.
    const int exponent = std::clamp(62 - greatest_bits - count_bits, -1000, 1000);
    up_ = std::ldexp(1.0, exponent);
    down_ = std::ldexp(1.0, -exponent);
  }

  static constexpr std::uint64_t kQuickCount = 1U << 11;
  static constexpr double kShift = 0x1.8p52;
  static constexpr auto kShiftBits = std::bit_cast<std::int64_t>(kShift);

  std::int64_t to_units(double x) const { return std::llrint(x * up_); }
  std::int64_t to_units_quickly(double x) const {
    return std::bit_cast<std::int64_t>(x * up_ + kShift) - kShiftBits;
  }
  double up() const { return up_; }
  double to_real(std::int64_t units) const { return static_cast<double>(units) * down_; }

 private:
  double up_ = 1;
  double down_ = 1;
};

}  // namespace glassrank
