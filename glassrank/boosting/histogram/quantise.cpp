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
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "glassrank/base/agree.h"
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

// Histograms add in 32 bits. All rows together come to level * num_rows at most, give or take the
// rounding, which a hundredth covers many times over: that has to stay below 2^31, whatever the
// level wanted.
double fitting_level(double level, double num_rows) {
  constexpr double kMostTotal = 0.99 * 0x1p31;
  return std::min(level, kMostTotal / num_rows);
}

// What the rows row_at(begin), ..., row_at(end - 1) have, eight numbers side by side: vectorised by
// the compiler.
template <typename Number, typename Map, typename Combine>
std::array<Number, 2> fold_rows(const TreeGradients& gradients, std::size_t begin, std::size_t end,
                                Map&& map, Combine&& combine, auto&& row_at) {
  Number g[8] = {};
  Number h[8] = {};
  std::size_t i = begin;
  for (; i + 8 <= end; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      g[k] = combine(g[k], map(std::abs(gradients.gradient[row_at(i + k)]), 0));
      h[k] = combine(h[k], map(gradients.hessian[row_at(i + k)], 1));
    }
  }
  for (; i < end; ++i) {
    g[0] = combine(g[0], map(std::abs(gradients.gradient[row_at(i)]), 0));
    h[0] = combine(h[0], map(gradients.hessian[row_at(i)], 1));
  }
  for (std::size_t k = 1; k < 8; ++k) {
    g[0] = combine(g[0], g[k]);
    h[0] = combine(h[0], h[k]);
  }
  return {g[0], h[0]};
}

// The same of all rows, in parallel. `combine` may take numbers in any order.
template <typename Number, typename Map, typename Combine>
std::array<Number, 2> fold_all(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
                               const Context& context, Map&& map, Combine&& combine) {
  using Pair = std::array<Number, 2>;
  return ordered_reduce(
      context, rows.size(), kChunkRows, Pair{},
      [&](std::size_t begin, std::size_t end) {
        // Rows ascend: if they are all, the numbers of the rows need not be read.
        if (rows.size() == gradients.gradient.size()) {
          return fold_rows<Number>(gradients, begin, end, map, combine,
                                   [](std::size_t i) { return i; });
        }
        return fold_rows<Number>(gradients, begin, end, map, combine,
                                 [&](std::size_t i) { return rows[i]; });
      },
      [&](Pair& total, const Pair& part) {
        for (std::size_t k = 0; k < 2; ++k) total[k] = combine(total[k], part[k]);
      });
}

struct Means {
  double gradient = 1;  // without any gradient or hessian every row is 0 at any scale
  double hessian = 1;
  std::uint64_t num_rows = 0;
  // The rows come to this many times their number and mean at most: sums are rounded down.
  double gradient_excess = 1;
  double hessian_excess = 1;
};

// Sums of |gradient| and hessian in units of the 2^-30th of the greatest, so that they are exact in
// any order. A unit is a power of two.
Means means_of(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
               const Context& context) {
  std::array<float, 2> own = fold_all<float>(
      gradients, rows, context, [](float x, int) { return x; },
      [](float a, float b) { return a < b ? b : a; });
  double greatest[2] = {own[0], own[1]};
  context.communicator->max(greatest);
  // Two factors, as for a Divisor: the inverse of a unit need not be a float32.
  float up[2] = {0, 0};
  float lift[2] = {1, 1};
  double unit[2] = {1, 1};
  for (std::size_t k = 0; k < 2; ++k) {
    if (!(greatest[k] > 0)) continue;
    int exponent = 0;
    std::frexp(greatest[k], &exponent);
    const int shift = 30 - exponent;  // -98 to 178
    const int half = shift / 2;
    lift[k] = std::ldexp(1.0F, half);
    up[k] = std::ldexp(1.0F, shift - half);
    unit[k] = std::ldexp(1.0, -shift);
  }
  const std::array<std::int64_t, 2> sums = fold_all<std::int64_t>(
      gradients, rows, context,
      [&](float x, int k) {
        return static_cast<std::int64_t>(static_cast<std::int32_t>(x * lift[k] * up[k]));
      },
      [](std::int64_t a, std::int64_t b) { return a + b; });
  std::int64_t totals[3] = {sums[0], sums[1], static_cast<std::int64_t>(rows.size())};
  context.communicator->sum(std::span(totals));
  Means means{.num_rows = static_cast<std::uint64_t>(totals[2])};
  const double count = std::max(static_cast<double>(totals[2]), 1.0);
  const auto set = [&](std::int64_t total, double of_unit, double& mean, double& excess) {
    if (total == 0) return;
    mean = static_cast<double>(total) * of_unit / count;
    excess = (static_cast<double>(total) + count) / static_cast<double>(total);
  };
  set(totals[0], unit[0], means.gradient, means.gradient_excess);
  set(totals[1], unit[1], means.hessian, means.hessian_excess);
  return means;
}

// Sizes max(|g| / mean |g|, h / mean h) of a sample of the rows of all machines, in their order.
std::vector<double> sampled_sizes(const TreeGradients& gradients,
                                  std::span<const std::uint32_t> rows, const Means& means,
                                  const Context& context) {
  const std::uint64_t own_count = rows.size();
  std::size_t first = 0;
  const std::vector<std::uint64_t> counts =
      gather_values<std::uint64_t>(*context.communicator, {&own_count, 1});
  for (int r = 0; r < context.communicator->rank(); ++r)
    first += counts[static_cast<std::size_t>(r)];
  const std::size_t num_rows = means.num_rows;
  const std::size_t num_samples = std::min(num_rows, kSampledRows);
  struct Size {
    std::size_t sample;
    double size;
  };
  std::vector<Size> own;
  for (std::size_t i = 0; i < num_samples; ++i) {
    // Scattered, so that no pattern in the rows can fool it.
    const std::size_t at = num_samples == num_rows ? i : i * 0x9e3779b1U % num_rows;
    if (at < first || at >= first + rows.size()) continue;
    const std::uint32_t row = rows[at - first];
    const double g = std::abs(gradients.gradient[row]);
    own.push_back({i, std::max(g / means.gradient, gradients.hessian[row] / means.hessian)});
  }
  std::vector<double> sizes(num_samples);
  for (const Size& each : gather_values<Size>(*context.communicator, own)) {
    sizes[each.sample] = each.size;
  }
  return sizes;
}

// The level at which the expected share of active rows is as wanted, on a sample of the rows:
// a row is active with chance min(1, level * size).
double level_for_share(std::span<const double> sizes, double share) {
  const auto num_sizes = static_cast<double>(sizes.size());
  double low = 0;
  double high = 8;
  for (int step_count = 0; step_count < 16; ++step_count) {
    const double level = 0.5 * (low + high);
    double expected = 0;
    for (const double size : sizes) expected += std::min(1.0, level * size);
    (expected < share * num_sizes ? low : high) = level;
  }
  return high;
}

}  // namespace

Scales choose_scales(const TreeGradients& gradients, std::span<const std::uint32_t> rows,
                     double active_share, const Context& context) {
  const Means means = means_of(gradients, rows, context);
  const double count = std::max(static_cast<double>(means.num_rows), 1.0);
  const double wanted =
      active_share >= 1
          ? all_rows_level(count)
          : level_for_share(sampled_sizes(gradients, rows, means, context), active_share);
  return {.gradient =
              representable(means.gradient / fitting_level(wanted, count * means.gradient_excess)),
          .hessian =
              representable(means.hessian / fitting_level(wanted, count * means.hessian_excess))};
}

Divisor::Divisor(double scale)
    : lift(static_cast<float>(lift_of(scale))),
      inverse(1.0F / static_cast<float>(scale * lift_of(scale))) {}

std::uint32_t random_key(std::uint64_t seed, std::size_t round) {
  return static_cast<std::uint32_t>(CounterRandom(seed, "quantise").bits(round));
}

namespace {

// The hash begins with row * constant + key: so rows may be numbered from the first of this
// machine.
std::uint32_t key_of(const TreeGradients& gradients, const Context& context) {
  return random_key(context.seed, gradients.round) +
         static_cast<std::uint32_t>(gradients.first_row) * 0x9e3779b1U;
}

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
  const std::uint32_t key = key_of(gradients, context);
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
  const std::uint32_t key = key_of(gradients, context);
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
