#pragma once
// Gradients as small integers, rounded stochastically: what packed histograms add up.
//
//   g' = trunc(|g| / gradient_scale + u) * sign(g) in [-2047, 2047],
//   h' = trunc(h / hessian_scale + u)              in [0, 4095],
// with one u in [0, 1) per row, a hash of (seed, round, row). E[g'] * gradient_scale = g: sums stay
// unbiased. Scales are mean |g| / level and mean h / level, however small or large these are. A row
// that becomes 0 in both is *idle*: it can be left out of histograms. The others are *active*: an
// unbiased sample in which large gradients are certain. "All rows" is level 2: every row with half
// the mean gradient or hessian stays, smaller ones by chance; level 8 for few rows, where precision
// costs little. Levels below 1 leave most rows out. From 1.06e9 rows on the level shrinks so that
// sums over all rows fit 32 bits. Means are of all machines and from sums of integers; u goes by
// the number of a row among the rows of all machines: the same for any number of threads and
// machines.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree_backend.h"

namespace glassrank {

inline constexpr std::int32_t kLargestGradient = 2047;
inline constexpr std::int32_t kLargestHessian = 4095;

// Both in one word: gradient in the upper, hessian in the lower 16 bits.
constexpr std::int32_t pack(std::int32_t gradient, std::int32_t hessian) {
  return gradient * 65'536 + hessian;
}
constexpr std::int32_t packed_gradient(std::int32_t packed) { return packed >> 16; }
constexpr std::int32_t packed_hessian(std::int32_t packed) { return packed & 0xffff; }

struct Scales {
  double gradient = 1;
  double hessian = 1;
};

// Division by a scale as two float32 products, x * lift * inverse. The lift is a power of two, so
// exact, and 1 for all but the tiniest and the largest scales, whose inverse is no float32.
struct Divisor {
  explicit Divisor(double scale);
  float lift;
  float inverse;
};

// How many rows of a tree are to be active: a share of them, or all if they are fewer than
// `from_rows`.
struct ActiveShare {
  double share = 1;
  std::uint64_t from_rows = 0;
  double of(std::uint64_t num_rows) const { return num_rows < from_rows ? 1 : share; }
};

// Scales for a share of about `active_share` active rows among `rows` (1: all).
Scales choose_scales(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
                     double active_share, const Context& context);

// packed[row] for every row of the training set.
void quantise(const TreeGradients& gradients, const Scales& scales, std::span<std::int32_t> packed,
              const Context& context);

// packed[row] for the rows given; the others are left as they are.
void quantise_rows(const TreeGradients& gradients, const Scales& scales,
                   std::span<const std::uint32_t> rows, std::span<std::int32_t> packed,
                   const Context& context);

// The definition, for one row of all machines. `key` is random_key() of the round.
std::int32_t quantise_row(float gradient, float hessian, const Scales& scales, std::uint32_t key,
                          std::uint32_t row);
std::uint32_t random_key(std::uint64_t seed, std::size_t round);

// Rows with a packed value first, the others after them, both in order; returns how many.
std::size_t split_active(std::span<const std::int32_t> packed, std::span<std::uint32_t> rows,
                         std::span<std::uint32_t> scratch, const Context& context);

}  // namespace glassrank
