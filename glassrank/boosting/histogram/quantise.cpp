#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/histogram/quantise.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/histogram/quantise.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using IntTag = hn::ScalableTag<std::int32_t>;
using WordTag = hn::ScalableTag<std::uint32_t>;
using FloatTag = hn::ScalableTag<float>;

// MurmurHash3's finaliser.
template <typename V>
HWY_INLINE V hash_rows(V x) {
  const WordTag du;
  x = hn::Xor(x, hn::ShiftRight<16>(x));
  x = hn::Mul(x, hn::Set(du, 0x85ebca6bU));
  x = hn::Xor(x, hn::ShiftRight<13>(x));
  x = hn::Mul(x, hn::Set(du, 0xc2b2ae35U));
  return hn::Xor(x, hn::ShiftRight<16>(x));
}

// Whole vectors of [begin, end); returns where the rest begins.
std::size_t quantise_vectors(const TreeGradients& gradients, const Scales& scales,
                             std::uint32_t key, std::size_t begin, std::size_t end,
                             std::int32_t* packed) {
  const IntTag di;
  const WordTag du;
  const FloatTag df;
  const std::size_t lanes = hn::Lanes(di);
  const Divisor divisor_g(scales.gradient);
  const Divisor divisor_h(scales.hessian);
  const auto lift_g = hn::Set(df, divisor_g.lift);
  const auto lift_h = hn::Set(df, divisor_h.lift);
  const auto inverse_g = hn::Set(df, divisor_g.inverse);
  const auto inverse_h = hn::Set(df, divisor_h.inverse);
  const auto unit = hn::Set(df, 1.0F / 16'777'216.0F);
  const auto largest_g = hn::Set(df, static_cast<float>(kLargestGradient));
  const auto largest_h = hn::Set(df, static_cast<float>(kLargestHessian));
  std::size_t at = begin;
  for (; at + lanes <= end; at += lanes) {
    const auto row = hn::Iota(du, static_cast<std::uint32_t>(at));
    const auto bits = hash_rows(hn::Add(hn::Mul(row, hn::Set(du, 0x9e3779b1U)), hn::Set(du, key)));
    const auto u = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<8>(bits))), unit);
    const auto g = hn::LoadU(df, gradients.gradient.data() + at);
    const auto h = hn::LoadU(df, gradients.hessian.data() + at);
    const auto g_steps = hn::Mul(hn::Mul(hn::Abs(g), lift_g), inverse_g);
    const auto h_steps = hn::Mul(hn::Mul(h, lift_h), inverse_h);
    const auto whole_g = hn::ConvertTo(di, hn::Min(hn::Add(g_steps, u), largest_g));
    const auto whole_h = hn::ConvertTo(di, hn::Min(hn::Add(h_steps, u), largest_h));
    const auto negative = hn::RebindMask(di, hn::Lt(g, hn::Zero(df)));
    const auto signed_g = hn::IfThenElse(negative, hn::Neg(whole_g), whole_g);
    hn::StoreU(hn::Add(hn::ShiftLeft<16>(signed_g), whole_h), di, packed + at);
  }
  return at;
}

// Compacts the numbers of rows [begin, end) that are active, and the others; whole vectors only.
std::size_t split_vectors(const std::int32_t* packed, std::size_t begin, std::size_t end,
                          std::uint32_t* active, std::uint32_t* idle, std::size_t* num_active) {
  const IntTag di;
  const WordTag du;
  const std::size_t lanes = hn::Lanes(di);
  std::size_t count = 0;
  std::size_t at = begin;
  for (; at + lanes <= end; at += lanes) {
    const auto row = hn::Iota(du, static_cast<std::uint32_t>(at));
    const auto weight = hn::BitCast(du, hn::LoadU(di, packed + at));
    const auto is_active = hn::Ne(weight, hn::Zero(du));
    hn::StoreU(hn::Compress(row, hn::Not(is_active)), du, idle + (at - begin - count));
    hn::StoreU(hn::Compress(row, is_active), du, active + count);
    count += hn::CountTrue(du, is_active);
  }
  *num_active = count;
  return at;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

HWY_EXPORT(quantise_vectors);
HWY_EXPORT(split_vectors);

constexpr std::size_t kChunkRows = 16'384;
constexpr std::size_t kSampledRows = 4'096;

// What brings a scale to where float32 has all of its bits, and so has the inverse.
double lift_of(double scale) {
  if (scale < 0x1p-90) return 0x1p96;
  return scale > 0x1p90 ? 0x1p-96 : 1;
}

// The nearest scale that a Divisor has without rounding: what is divided by is what is multiplied
// back with.
double representable(double scale) {
  const double lift = lift_of(scale);
  return static_cast<double>(static_cast<float>(scale * lift)) / lift;
}

double all_rows_level(double num_rows) { return num_rows < 100'000 ? 8 : 2; }

// Histograms add in 32 bits. All rows together come to level * num_rows, give or take the rounding,
// which a hundredth covers many times over: that has to stay below 2^31, whatever the level wanted.
double fitting_level(double level, double num_rows) {
  constexpr double kMostTotal = 0.99 * 0x1p31;
  return std::min(level, kMostTotal / num_rows);
}

// Of the rows row_at(begin), ..., row_at(end - 1). Eight interleaved sums: vectorised by the
// compiler, the same on every machine.
template <typename RowAt>
LeafSums sum_sizes(const TreeGradients& gradients, std::size_t begin, std::size_t end,
                   RowAt&& row_at) {
  double g[8] = {};
  double h[8] = {};
  std::size_t i = begin;
  for (; i + 8 <= end; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      g[k] += std::abs(gradients.gradient[row_at(i + k)]);
      h[k] += gradients.hessian[row_at(i + k)];
    }
  }
  for (; i < end; ++i) {
    g[0] += std::abs(gradients.gradient[row_at(i)]);
    h[0] += gradients.hessian[row_at(i)];
  }
  LeafSums sums;
  for (std::size_t k = 0; k < 8; ++k) {
    sums.gradient += g[k];
    sums.hessian += h[k];
  }
  return sums;
}

// The level at which the expected share of active rows is as wanted, on a sample of the rows:
// a row is active with chance min(1, level * max(|g| / mean |g|, h / mean h)).
double level_for_share(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
                       const LeafSums& means, double share, const Context& context) {
  const std::size_t num_samples = std::min(rows.size(), kSampledRows);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < num_samples; ++i) {
    // Scattered, so that no pattern in the rows can fool it.
    const std::size_t at = num_samples == rows.size() ? i : i * 0x9e3779b1U % rows.size();
    const double g = std::abs(gradients.gradient[rows[at]]);
    sizes.push_back(std::max(g / means.gradient, gradients.hessian[rows[at]] / means.hessian));
  }
  double num_sizes = static_cast<double>(sizes.size());
  context.communicator->sum({&num_sizes, 1});
  double low = 0;
  double high = 8;
  for (int step_count = 0; step_count < 16; ++step_count) {
    const double level = 0.5 * (low + high);
    double expected = 0;
    for (const double size : sizes) expected += std::min(1.0, level * size);
    context.communicator->sum({&expected, 1});
    (expected < share * num_sizes ? low : high) = level;
  }
  return high;
}

}  // namespace

Scales choose_scales(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
                     double active_share, const Context& context) {
  LeafSums means = ordered_reduce(
      context, rows.size(), kChunkRows, LeafSums{},
      [&](std::size_t begin, std::size_t end) {
        // Rows ascend: if they are all, the numbers of the rows need not be read.
        if (rows.size() == gradients.gradient.size()) {
          return sum_sizes(gradients, begin, end, [](std::size_t i) { return i; });
        }
        return sum_sizes(gradients, begin, end, [&](std::size_t i) { return rows[i]; });
      },
      [](LeafSums& total, LeafSums&& part) {
        total.gradient += part.gradient;
        total.hessian += part.hessian;
      });
  double totals[] = {means.gradient, means.hessian, static_cast<double>(rows.size())};
  context.communicator->sum(totals);
  const double count = std::max(totals[2], 1.0);
  // Without any gradient or hessian every row is 0 at any scale.
  means.gradient = totals[0] > 0 ? totals[0] / count : 1.0;
  means.hessian = totals[1] > 0 ? totals[1] / count : 1.0;
  const double wanted = active_share >= 1
                            ? all_rows_level(count)
                            : level_for_share(gradients, rows, means, active_share, context);
  const double level = fitting_level(wanted, count);
  return {.gradient = representable(means.gradient / level),
          .hessian = representable(means.hessian / level)};
}

Divisor::Divisor(double scale)
    : lift(static_cast<float>(lift_of(scale))),
      inverse(1.0F / static_cast<float>(scale * lift_of(scale))) {}

std::uint32_t random_key(std::uint64_t seed, std::size_t round) {
  return static_cast<std::uint32_t>(CounterRandom(seed, "quantise").bits(round));
}

namespace {

struct Divisors {
  explicit Divisors(const Scales& scales) : gradient(scales.gradient), hessian(scales.hessian) {}
  Divisor gradient;
  Divisor hessian;
};

std::int32_t quantise_row(float gradient, float hessian, const Divisors& divisors,
                          std::uint32_t key, std::uint32_t row) {
  std::uint32_t x = row * 0x9e3779b1U + key;
  x = (x ^ (x >> 16)) * 0x85ebca6bU;
  x = (x ^ (x >> 13)) * 0xc2b2ae35U;
  x ^= x >> 16;
  const float u = static_cast<float>(x >> 8) * (1.0F / 16'777'216.0F);
  const float g = std::abs(gradient) * divisors.gradient.lift * divisors.gradient.inverse + u;
  const float h = hessian * divisors.hessian.lift * divisors.hessian.inverse + u;
  const auto size = static_cast<std::int32_t>(std::min(g, static_cast<float>(kLargestGradient)));
  return pack(gradient < 0 ? -size : size,
              static_cast<std::int32_t>(std::min(h, static_cast<float>(kLargestHessian))));
}

}  // namespace

std::int32_t quantise_row(float gradient, float hessian, const Scales& scales, std::uint32_t key,
                          std::uint32_t row) {
  return quantise_row(gradient, hessian, Divisors(scales), key, row);
}

void quantise(const TreeGradients& gradients, const Scales& scales, std::span<std::int32_t> packed,
              const Context& context) {
  const Divisors divisors(scales);
  const std::uint32_t key = random_key(context.seed, gradients.round);
  parallel_for(context, packed.size(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    std::size_t at =
        HWY_DYNAMIC_DISPATCH(quantise_vectors)(gradients, scales, key, begin, end, packed.data());
    for (; at < end; ++at) {
      packed[at] = quantise_row(gradients.gradient[at], gradients.hessian[at], divisors, key,
                                static_cast<std::uint32_t>(at));
    }
  });
}

void quantise_rows(const TreeGradients& gradients, const Scales& scales,
                   std::span<const std::uint32_t> rows, std::span<std::int32_t> packed,
                   const Context& context) {
  const std::uint32_t key = random_key(context.seed, gradients.round);
  const Divisors divisors(scales);
  parallel_for(context, rows.size(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = rows[i];
      packed[row] =
          quantise_row(gradients.gradient[row], gradients.hessian[row], divisors, key, row);
    }
  });
}

std::size_t split_active(std::span<const std::int32_t> packed, std::span<std::uint32_t> rows,
                         std::span<std::uint32_t> scratch, const Context& context) {
  const std::size_t n = rows.size();
  const bool every_row = n == packed.size();  // rows ascend: then they count 0, 1, 2, ...
  std::vector<std::size_t> counts((n + kChunkRows - 1) / kChunkRows);
  parallel_for(context, n, kChunkRows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t idle[kChunkRows];
    std::uint32_t* active = scratch.data() + begin;
    std::size_t count = 0;
    std::size_t at = begin;
    if (every_row) {
      at = HWY_DYNAMIC_DISPATCH(split_vectors)(packed.data(), begin, end, active, idle, &count);
    }
    for (; at < end; ++at) {
      const std::uint32_t row = rows[at];
      (packed[row] != 0 ? active[count++] : idle[at - begin - count]) = row;
    }
    std::copy_n(idle, end - begin - count, active + count);
    counts[begin / kChunkRows] = count;
  });
  struct Places {
    std::size_t active;
    std::size_t idle;
  };
  const std::size_t num_active = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  Places next{0, num_active};
  std::vector<Places> places;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    places.push_back(next);
    next.active += counts[c];
    next.idle += std::min(kChunkRows, n - c * kChunkRows) - counts[c];
  }
  parallel_for(context, n, kChunkRows, [&](std::size_t begin, std::size_t end) {
    const std::size_t c = begin / kChunkRows;
    const std::uint32_t* chunk = scratch.data() + begin;
    std::copy_n(chunk, counts[c], rows.data() + places[c].active);
    std::copy_n(chunk + counts[c], end - begin - counts[c], rows.data() + places[c].idle);
  });
  return num_active;
}

}  // namespace glassrank
#endif
