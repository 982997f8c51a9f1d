#pragma once
// Decimal numbers to float32, exactly rounded, quickly.
//
// scan_float() takes the common shapes "-ddd" and "-ddd.ddd" eight digits at a time: digits become
// an integer m < 2^53, the value is m / 10^k in double, which is correctly rounded because both are
// exact (Clinger, How to read floating point numbers accurately, 1990). Rounding that to float
// differs from rounding the decimal itself only where the double lies exactly halfway between two
// floats; those, and every other shape, are left to parse_float(), which asks fast_float. Both
// therefore give the same bits for every text.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace glassrank {

enum class NumberStatus { kOk, kNotANumber, kInfinite, kTooLarge };

// The whole of `token`: decimal with optional sign, point and exponent, or nan in any case. Too
// small for a float is 0. Text that names infinity is kInfinite, overflow kTooLarge.
NumberStatus parse_float(std::string_view token, float& value);

// What separates the words of a line.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The number at `p` up to a blank, newline or '#', for when scan_float() has declined. Returns
// where it ends, or null if it is not a finite number or nan.
const char* scan_odd_float(const char* p, float& value);

// scan_float() may read, but never uses, bytes up to here behind the start of a number.
inline constexpr std::size_t kScanSlack = 32;

namespace number_scanner {

static_assert(std::endian::native == std::endian::little, "digits are combined in memory order");

inline std::uint64_t load8(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// How many of the eight characters, from the first, are digits.
inline unsigned count_digits(std::uint64_t word) {
  const std::uint64_t high = (word & 0xf0f0f0f0f0f0f0f0) ^ 0x3030303030303030;
  const std::uint64_t above_nine =
      ((word & 0x0f0f0f0f0f0f0f0f) + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0;
  const std::uint64_t other = high | above_nine;
  return static_cast<unsigned>(std::countr_zero(other)) / 8;
}

// The number formed by the first `count` (0..8) characters, all digits.
inline std::uint64_t combine_digits(std::uint64_t word, unsigned count) {
  const unsigned half = 4 * (8 - count);  // shifted in two steps, since 64 at once is undefined
  word = (word & 0x0f0f0f0f0f0f0f0f) << half << half;
  word = word * 10 + (word >> 8);  // pairs, in every second byte
  return (((word & 0x000000ff000000ff) * 0x000f424000000064) +
          (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >>
         32;
}

inline constexpr std::uint64_t kPowers[] = {1,      10,      100,      1000,     10000,
                                            100000, 1000000, 10000000, 100000000};
// mantissa * 10^n + (n digits) stays below 2^53 up to here.
inline constexpr std::uint64_t kMostBefore[] = {9000000000000000, 900000000000000, 90000000000000,
                                                9000000000000,    900000000000,    90000000000,
                                                9000000000,       900000000,       90000000 - 1};
inline constexpr double kPowersOfTen[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                          1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};

// mantissa / 10^num_fraction rounded once, to float. False where rounding to double first might
// have changed the result. mantissa < 2^53.
inline bool to_float(std::uint64_t mantissa, unsigned num_fraction, bool negative, float& value) {
  const double exact =
      static_cast<double>(static_cast<std::int64_t>(mantissa)) / kPowersOfTen[num_fraction];
  if ((std::bit_cast<std::uint64_t>(exact) & 0x1fffffff) == 0x10000000) return false;
  const float magnitude = static_cast<float>(exact);
  value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) |
                               static_cast<std::uint32_t>(negative) << 31);
  return true;
}

}  // namespace number_scanner

// Reads a number at `p`, moves `p` behind it and returns true; returns false, `p` unchanged, where
// the text has another shape (which does not mean that it is wrong). What follows the number is a
// control character, a space, a comma or '#'. kScanSlack bytes from `p` on must be readable.
inline bool scan_float(const char*& p, float& value) {
  using namespace number_scanner;
  const bool negative = *p == '-';
  const char* q = p + negative;
  const std::uint64_t head = load8(q);
  const unsigned num_whole = count_digits(head);
  if (num_whole == 0) return false;
  std::uint64_t mantissa = combine_digits(head, num_whole);
  q += num_whole;
  unsigned num_fraction = 0;
  if (*q == '.') {
    const std::uint64_t tail = load8(++q);
    num_fraction = count_digits(tail);
    if (num_fraction > 0) {
      mantissa = mantissa * kPowers[num_fraction] + combine_digits(tail, num_fraction);
      q += num_fraction;
    }
    if (num_fraction == 8) {
      const std::uint64_t more = load8(q);
      const unsigned num_more = count_digits(more);
      if (num_more > 0) {
        if (mantissa > kMostBefore[num_more]) return false;
        mantissa = mantissa * kPowers[num_more] + combine_digits(more, num_more);
        q += num_more;
        num_fraction += num_more;
      }
    }
  }
  // A further digit or an exponent would belong to the number; these cannot.
  const unsigned char next = static_cast<unsigned char>(*q);
  if (next > ' ' && next != '#' && next != ',') return false;
  if (mantissa >> 53 != 0) return false;
  if (!to_float(mantissa, num_fraction, negative, value)) return false;
  p = q;
  return true;
}

}  // namespace glassrank
