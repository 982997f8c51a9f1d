// Sums of columns of float32 over rows, a block of them at a time.
//
// Within a block, with 2^E above its largest number, a number is cut in two at a fixed place:
//   high = (x + 1.5 * 2^52 * U) - 1.5 * 2^52 * U       a multiple of U = 2^(E - 43)
//   low  = x - high                                    at most U / 2
// 2^10 numbers of either part add up in a double without any rounding, in any order, if no number
// has a digit below 2^(E - 87): then numbers of less than 2^-63 of the largest are 0. The two sums
// are then added to the pieces. A block with smaller numbers takes the slow way.

#include "glassrank/math/exact_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/math/float_sums.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#ifndef GLASSRANK_MATH_FLOAT_SUMS
#define GLASSRANK_MATH_FLOAT_SUMS
namespace glassrank {
struct HighAndLow {
  double high;
  double low;
};
// Bits of |x|: the largest, and the smallest that is not 0.
struct SizeRange {
  std::uint32_t largest;
  std::uint32_t smallest;
};
}  // namespace glassrank
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `count` is a multiple of the lanes of any instruction set, here and below.
SizeRange range_of(const float* values, std::size_t count) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto one = hn::Set(d, 1);
  auto largest = hn::Zero(d);
  auto least = hn::Set(d, ~0U);  // of the bits less one: 0 comes last
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto size = hn::BitCast(d, hn::Abs(hn::LoadU(df, values + i)));
    largest = hn::Max(largest, size);
    least = hn::Min(least, hn::Sub(size, one));
  }
  return {hn::GetLane(hn::MaxOfLanes(d, largest)), hn::GetLane(hn::MinOfLanes(d, least)) + 1};
}

HighAndLow sum_block(const float* values, std::size_t count, double magic) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  const auto shift = hn::Set(d, magic);
  auto high_a = hn::Zero(d);
  auto low_a = hn::Zero(d);
  auto high_b = hn::Zero(d);
  auto low_b = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += 2 * lanes) {
    const auto a = hn::PromoteTo(d, hn::LoadU(df, values + i));
    const auto b = hn::PromoteTo(d, hn::LoadU(df, values + i + lanes));
    const auto a_high = hn::Sub(hn::Add(a, shift), shift);
    const auto b_high = hn::Sub(hn::Add(b, shift), shift);
    high_a = hn::Add(high_a, a_high);
    high_b = hn::Add(high_b, b_high);
    low_a = hn::Add(low_a, hn::Sub(a, a_high));
    low_b = hn::Add(low_b, hn::Sub(b, b_high));
  }
  return {hn::GetLane(hn::SumOfLanes(d, hn::Add(high_a, high_b))),
          hn::GetLane(hn::SumOfLanes(d, hn::Add(low_a, low_b)))};
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <bit>
#include <cmath>

namespace glassrank {
namespace {

HWY_EXPORT(range_of);
HWY_EXPORT(sum_block);

constexpr std::size_t kBlock = 1024;
constexpr std::size_t kMostLanes = 32;  // two vectors of 16

// The sum of a block is less than 2^74 of its units of 2^-149: it must not reach beyond the pieces.
constexpr std::uint32_t kGreatestExponent = 200;
constexpr std::uint32_t kMostExponents = 63;

}  // namespace

// A double, a multiple of 2^-149, of 53 bits: 24 to a piece.
void FloatSums::add_double(std::int64_t* pieces, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) return;  // 0: multiples of 2^-149 are no subnormal numbers
  std::uint64_t size = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  // size * 2^(exponent - 1075); place 1 is worth 2^-149.
  int place = exponent - 1075 + 150;
  if (place < 1) {
    size >>= 1 - place;
    place = 1;
  }
  const std::int64_t sign = -static_cast<std::int64_t>(bits >> 63);
  for (auto piece = static_cast<std::size_t>(place) >> 3; size != 0; piece += 3, size >>= 24) {
    const std::int64_t part = static_cast<std::int64_t>(size & 0xffffff) << (place & 7);
    pieces[piece] += (part ^ sign) - sign;
  }
}

void FloatSums::add_column(std::int64_t* pieces, const float* column,
                           std::span<const std::uint32_t> rows) {
  alignas(64) float values[kBlock];
  for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), kBlock))) {
    const std::size_t count = std::min(rows.size(), kBlock);
    for (std::size_t i = 0; i < count; ++i) values[i] = column[rows[i]];
    const std::size_t padded = (count + kMostLanes - 1) / kMostLanes * kMostLanes;
    std::fill(values + count, values + padded, 0.0F);
    const SizeRange range = HWY_DYNAMIC_DISPATCH(range_of)(values, padded);
    const std::uint32_t highest = range.largest >> 23;
    const bool is_narrow = highest <= kGreatestExponent &&
                           highest <= std::max(range.smallest >> 23, 1U) + kMostExponents;
    if (!is_narrow) {
      for (const float value : std::span(values, count)) add_to(pieces, value);
      continue;
    }
    // U = 2^(highest - 126 - 43)
    const double magic = std::ldexp(1.5, 52 + static_cast<int>(highest) - 169);
    const HighAndLow sums = HWY_DYNAMIC_DISPATCH(sum_block)(values, padded, magic);
    add_double(pieces, sums.high);
    add_double(pieces, sums.low);
  }
}

void FloatSums::add(std::span<const std::uint32_t> rows, const float* gradients,
                    const float* hessians) {
  add_column(pieces_.data(), gradients, rows);
  add_column(pieces_.data() + kPieces, hessians, rows);
}

}  // namespace glassrank
#endif
