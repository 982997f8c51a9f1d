#include "glassrank/math/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassrank {
namespace {

constexpr int kLowestExponent = -1074;
constexpr std::int64_t kDigit = std::int64_t{1} << 32;

}  // namespace

// size * 2^(place - 1074)
void ExactSum::add_digits(std::uint64_t size, bool is_negative, unsigned place) {
  if (num_adds_ == kMostAdds) carry();
  ++num_adds_;
  const auto wide = static_cast<unsigned __int128>(size) << (place % 32);
  const std::int64_t sign = is_negative ? -1 : 1;
  std::int64_t* digit = words_.digits.data() + place / 32;
  digit[0] += sign * static_cast<std::int64_t>(wide & 0xffffffff);
  digit[1] += sign * static_cast<std::int64_t>(wide >> 32 & 0xffffffff);
  digit[2] += sign * static_cast<std::int64_t>(wide >> 64);
}

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7ff);
  const bool is_negative = bits >> 63 != 0;
  std::uint64_t size = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    ++(size != 0     ? words_.num_nan
       : is_negative ? words_.num_negative_infinite
                     : words_.num_infinite);
    return;
  }
  if (exponent > 0) size |= std::uint64_t{1} << 52;
  add_digits(size, is_negative, exponent > 0 ? exponent - 1 : 0);
}

void ExactSum::add_scaled(std::int64_t x, int exponent) {
  const bool is_negative = x < 0;
  const auto size =
      is_negative ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
  add_digits(size, is_negative, static_cast<unsigned>(exponent - kLowestExponent));
}

// Digits from 0 to 2^32 - 1, but for the last one, which has the sign.
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    const std::int64_t over = words_.digits[i] >> 32;
    words_.digits[i] -= over * kDigit;
    words_.digits[i + 1] += over;
  }
  num_adds_ = 1;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
  ExactSum part = other;
  part.carry();
  carry();
  for (std::size_t i = 0; i < kDigits; ++i) words_.digits[i] += part.words_.digits[i];
  num_adds_ += part.num_adds_;
  words_.num_nan += part.words_.num_nan;
  words_.num_infinite += part.words_.num_infinite;
  words_.num_negative_infinite += part.words_.num_negative_infinite;
  return *this;
}

double ExactSum::value() const {
  const bool plus = words_.num_infinite > 0;
  const bool minus = words_.num_negative_infinite > 0;
  if (words_.num_nan > 0 || (plus && minus)) return std::numeric_limits<double>::quiet_NaN();
  if (plus || minus) return plus ? HUGE_VAL : -HUGE_VAL;
  ExactSum sum = *this;
  sum.carry();
  const bool is_negative = sum.words_.digits.back() < 0;
  if (is_negative) {
    for (std::int64_t& digit : sum.words_.digits) digit = -digit;
    sum.carry();
  }
  const auto& digits = sum.words_.digits;
  std::size_t top = kDigits;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The first digit that is not 0 and the two below hold 65 bits or more, if there are as many.
  unsigned __int128 head = 0;
  const std::size_t low = top < 3 ? 0 : top - 3;
  for (std::size_t i = top; i > low; --i) {
    head = head << 32 | static_cast<std::uint64_t>(digits[i - 1]);
  }
  bool is_more = std::any_of(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(low),
                             [](std::int64_t digit) { return digit != 0; });
  int exponent = static_cast<int>(32 * low) + kLowestExponent;
  // 53 bits, and what follows decides how they are rounded.
  const auto upper = static_cast<std::uint64_t>(head >> 64);
  const int width = upper != 0 ? 64 + static_cast<int>(std::bit_width(upper))
                               : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(head)));
  const int dropped = std::max(width - 53, 0);
  auto size = static_cast<std::uint64_t>(head >> dropped);
  if (dropped > 0) {
    const unsigned __int128 rest = head & ((static_cast<unsigned __int128>(1) << dropped) - 1);
    const unsigned __int128 half = static_cast<unsigned __int128>(1) << (dropped - 1);
    const bool is_tie = rest == half && !is_more;
    if (rest >= half && (!is_tie || size % 2 == 1)) ++size;
  }
  exponent += dropped;
  const double value = std::ldexp(static_cast<double>(size), exponent);
  return is_negative ? -value : value;
}

void add_up(std::span<ExactSum> sums, const Communicator& communicator) {
  if (communicator.is_alone()) return;
  static_assert(sizeof(ExactSum::Words) == (ExactSum::kDigits + 3) * sizeof(std::int64_t));
  std::vector<ExactSum::Words> words;
  for (ExactSum& sum : sums) {
    sum.carry();
    words.push_back(sum.words_);
  }
  constexpr std::size_t kWords = sizeof(ExactSum::Words) / sizeof(std::int64_t);
  communicator.sum(std::span(reinterpret_cast<std::int64_t*>(words.data()), kWords * words.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].words_ = words[i];
    sums[i].carry();
  }
}

double FloatSums::value(std::span<const std::int64_t> pieces) {
  ExactSum sum;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    // Place 1 is worth 2^-149.
    if (pieces[i] != 0) sum.add_scaled(pieces[i], static_cast<int>(8 * i) - 150);
  }
  return sum.value();
}

void add_up(std::span<FloatSums> sums, const Communicator& communicator) {
  static_assert(sizeof(FloatSums) == 2 * FloatSums::kPieces * sizeof(std::int64_t));
  communicator.sum(std::span(reinterpret_cast<std::int64_t*>(sums.data()),
                             2 * FloatSums::kPieces * sums.size()));
}

}  // namespace glassrank
