#pragma once
// Sums of real numbers without any rounding, rounded once at the end: the same for every order of
// the summands, so for any number of threads and of machines.
//
// A sum is one large integer in pieces (a superaccumulator: Kulisch; Neal, arXiv:1505.05571): a
// number m * 2^e is added to the pieces that its digits lie in. value() is the double nearest to
// the exact sum, ties to even. add_up() gives the sum over all machines.
//   ExactSum    of doubles, for some thousand of them (queries): a few ns each.
//   FloatSums   of two columns of float32 over rows of a training (gradients and hessians): about
//               a ns each; at most 2^32 summands.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/communicator.h"

namespace glassrank {

class ExactSum {
 public:
  void add(double value);
  ExactSum& operator+=(const ExactSum& other);
  // x * 2^exponent, of any integer; the lowest digit is 2^-1074 or more.
  void add_scaled(std::int64_t x, int exponent);
  // NaN if a summand was, or both infinities were.
  double value() const;

 private:
  friend void add_up(std::span<ExactSum> sums, const Communicator& communicator);
  // 32 bits each, worth 2^(32 i - 1074) and up; the upper half of a word takes carries.
  static constexpr std::size_t kDigits = 70;
  static constexpr std::uint32_t kMostAdds = 1U << 30;

  void add_digits(std::uint64_t size, bool is_negative, unsigned place);
  void carry();

  struct Words {
    std::array<std::int64_t, kDigits> digits{};
    std::int64_t num_nan = 0;
    std::int64_t num_infinite = 0;
    std::int64_t num_negative_infinite = 0;
  };
  Words words_;
  std::uint32_t num_adds_ = 0;  // since the last carry()
};

// Each becomes the sum over all machines.
void add_up(std::span<ExactSum> sums, const Communicator& communicator);

// Gradients and hessians of rows. A float32 is m * 2^e with 24 bits of m; its piece is that of the
// upper five bits of e, so the other three shift m by 7 bits at most: 2^32 of them fit 63 bits.
class FloatSums {
 public:
  static constexpr std::size_t kPieces = 32;

  // Both finite.
  void add(float gradient, float hessian) {
    add_to(pieces_.data(), gradient);
    add_to(pieces_.data() + kPieces, hessian);
  }
  // Those of some rows of two columns, all finite: about a third of a ns each.
  void add(std::span<const std::uint32_t> rows, const float* gradients, const float* hessians);
  FloatSums& operator+=(const FloatSums& other) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) pieces_[i] += other.pieces_[i];
    return *this;
  }
  double gradient() const { return value({pieces_.data(), kPieces}); }
  double hessian() const { return value({pieces_.data() + kPieces, kPieces}); }

 private:
  friend void add_up(std::span<FloatSums> sums, const Communicator& communicator);

  static void add_to(std::int64_t* pieces, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t exponent = bits >> 23 & 0xff;
    // A subnormal number has no hidden bit, and the place of exponent 1.
    const std::uint32_t hidden = exponent != 0 ? 1U << 23 : 0;
    const std::uint32_t place = exponent + (exponent == 0 ? 1 : 0);
    const std::int64_t size = static_cast<std::int64_t>((bits & 0x7fffff) | hidden) << (place & 7);
    const std::int64_t sign = -static_cast<std::int64_t>(bits >> 31);
    pieces[place >> 3] += (size ^ sign) - sign;
  }
  static void add_double(std::int64_t* pieces, double value);
  static void add_column(std::int64_t* pieces, const float* column,
                         std::span<const std::uint32_t> rows);
  static double value(std::span<const std::int64_t> pieces);

  std::array<std::int64_t, 2 * kPieces> pieces_{};
};

void add_up(std::span<FloatSums> sums, const Communicator& communicator);

}  // namespace glassrank
