#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/objectives/lambdarank_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/objectives/lambdarank_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, kLambdaWidth>;
using FloatVector = hn::Vec<FloatTag>;

// A register of kLambdaWidth documents is as many vectors as the machine needs for it. Sums run
// over these registers and are folded in one order, so they do not depend on the machine.
constexpr std::size_t kLanes = hn::MaxLanes(FloatTag());
constexpr std::size_t kParts = kLambdaWidth / kLanes;

// One document against registers of documents below it, and the sums of those pairs.
struct TopDocument {
  std::size_t rank;
  FloatVector score;
  FloatVector exponential;
  FloatVector gain;
  FloatVector discount;
  FloatVector lambda_sum[kParts];
  FloatVector hessian_sum[kParts];
};

struct Below {
  FloatVector score;
  FloatVector exponential;
  FloatVector gain;
  FloatVector discount;
};

struct PairTerms {
  FloatVector lambda;  // signed: positive when the top document has the larger gain
  FloatVector hessian;
};

// The sums of one top document's pairs.
struct TopSums {
  float lambda;
  float hessian;
};

// e^x to about 1 unit in the last place, |x| <= 80 (Cephes' polynomial).
HWY_INLINE FloatVector exp_of(FloatVector x) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  const auto rounder = hn::Set(d, 0x1.8p23F);  // leaves the nearest whole number in the low bits
  const auto shifted = hn::Add(hn::Mul(x, hn::Set(d, 1.44269504F)), rounder);
  const auto n = hn::Sub(shifted, rounder);
  const auto high = hn::Sub(x, hn::Mul(n, hn::Set(d, 0.693359375F)));  // both exact
  const auto r = hn::Sub(high, hn::Mul(n, hn::Set(d, -2.12194440e-4F)));
  auto series = hn::Set(d, 1.9875691500e-4F);
  for (const float next :
       {1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F}) {
    series = hn::Add(hn::Mul(series, r), hn::Set(d, next));
  }
  const auto value = hn::Add(hn::Add(hn::Mul(series, hn::Mul(r, r)), r), hn::Set(d, 1.0F));
  const auto exponent = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, rounder));
  const auto power = hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(di, 127)));
  return hn::Mul(value, hn::BitCast(d, power));
}

// No fused operation and no estimate of a reciprocal: both differ from machine to machine.
template <bool kDistance>
HWY_INLINE PairTerms pair_terms(const LambdaArrays& a, const TopDocument& top, const Below& below) {
  const FloatTag d;
  const auto gain_gap = hn::Sub(top.gain, below.gain);
  const auto discount_gap = hn::Sub(top.discount, below.discount);
  auto divisor = hn::Add(top.exponential, below.exponential);
  auto distance = hn::Set(d, 1.0F);
  if constexpr (kDistance) {
    distance = hn::Add(hn::Mul(hn::Sub(top.score, below.score), hn::Set(d, a.inverse_sigma)),
                       hn::Set(d, a.distance_floor));
    divisor = hn::Mul(divisor, distance);
  }
  // The chance that the pair is ordered wrongly has the lower one's exponential on top.
  const auto top_is_high = hn::Gt(gain_gap, hn::Zero(d));
  const auto low = hn::IfThenElse(top_is_high, below.exponential, top.exponential);
  const auto scaled_chance = hn::Div(low, divisor);  // p / distance
  const auto lambda = hn::Mul(hn::Mul(gain_gap, discount_gap), scaled_chance);
  const auto size = hn::Abs(lambda);
  const auto chance = kDistance ? hn::Mul(scaled_chance, distance) : scaled_chance;
  return {.lambda = lambda, .hessian = hn::Sub(size, hn::Mul(size, chance))};
}

HWY_INLINE void clear(FloatVector (&sums)[kParts]) {
  for (FloatVector& sum : sums) sum = hn::Zero(FloatTag());
}

HWY_INLINE void start_top(const LambdaArrays& a, std::size_t rank, TopDocument& top) {
  const FloatTag d;
  top.rank = rank;
  top.score = hn::Set(d, a.scores[rank]);
  top.exponential = hn::Set(d, a.exponentials[rank]);
  top.gain = hn::Set(d, a.gains[rank]);
  top.discount = hn::Set(d, a.discounts[rank]);
  clear(top.lambda_sum);
  clear(top.hessian_sum);
}

constexpr std::size_t minus(std::size_t a, std::size_t b) { return a > b ? a - b : 0; }

// Adds the pairs of one top document with a vector of documents to `terms` and its own sums.
// kMasked: only documents below the top one and before the end count.
template <bool kDistance, bool kMasked>
HWY_INLINE void add_pairs(const LambdaArrays& a, const Below& below, std::size_t at,
                          std::size_t part, TopDocument& top, PairTerms& terms,
                          FloatVector& total) {
  const FloatTag d;
  PairTerms own = pair_terms<kDistance>(a, top, below);
  if constexpr (kMasked) {
    const auto counts = hn::AndNot(hn::FirstN(d, minus(top.rank + 1, at)),
                                   hn::FirstN(d, minus(a.num_documents, at)));
    own.lambda = hn::IfThenElseZero(counts, own.lambda);
    own.hessian = hn::IfThenElseZero(counts, own.hessian);
  }
  top.lambda_sum[part] = hn::Add(top.lambda_sum[part], own.lambda);
  top.hessian_sum[part] = hn::Add(top.hessian_sum[part], own.hessian);
  total = hn::Add(total, hn::Abs(own.lambda));
  terms.lambda = hn::Add(terms.lambda, own.lambda);
  terms.hessian = hn::Add(terms.hessian, own.hessian);
}

// One vector of documents, part of a register, against one or two tops.
template <bool kDistance, bool kMasked, bool kTwo>
HWY_INLINE void add_part(const LambdaArrays& a, std::size_t at, std::size_t part,
                         TopDocument& first, TopDocument& second, FloatVector& total) {
  const FloatTag d;
  const Below below{.score = hn::Load(d, a.scores + at),
                    .exponential = hn::Load(d, a.exponentials + at),
                    .gain = hn::Load(d, a.gains + at),
                    .discount = hn::LoadU(d, a.discounts + at)};
  PairTerms terms{.lambda = hn::Load(d, a.lambdas + at), .hessian = hn::Load(d, a.hessians + at)};
  add_pairs<kDistance, kMasked>(a, below, at, part, first, terms, total);
  if constexpr (kTwo) add_pairs<kDistance, kMasked>(a, below, at, part, second, terms, total);
  hn::Store(terms.lambda, d, a.lambdas + at);
  hn::Store(terms.hessian, d, a.hessians + at);
}

template <bool kDistance, bool kTwo>
HWY_INLINE void add_register(const LambdaArrays& a, std::size_t begin, TopDocument& first,
                             TopDocument& second, FloatVector (&total)[kParts]) {
  for (std::size_t part = 0; part < kParts; ++part) {
    add_part<kDistance, false, kTwo>(a, begin + part * kLanes, part, first, second, total[part]);
  }
}

// A register that has documents which do not count. What a mask leaves out adds 0, which changes
// no bit, since no sum is ever -0: vectors without a document that counts are passed over.
template <bool kDistance, bool kTwo>
HWY_INLINE void add_border(const LambdaArrays& a, std::size_t begin, TopDocument& first,
                           TopDocument& second, FloatVector (&total)[kParts]) {
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t at = begin + part * kLanes;
    if (at + kLanes <= first.rank + 1 || at >= a.num_documents) continue;
    if (kParts > 1 && at > second.rank && at + kLanes <= a.num_documents) {
      add_part<kDistance, false, kTwo>(a, at, part, first, second, total[part]);
    } else {
      add_part<kDistance, true, kTwo>(a, at, part, first, second, total[part]);
    }
  }
}

// x[i] + x[i + 8], of these x[i] + x[i + 4], and so on: the one order of every machine.
template <typename D>
HWY_INLINE float fold_lanes(D d, hn::Vec<D> x) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) > 1) {
    const hn::Half<D> half;
    return fold_lanes(half, hn::Add(hn::LowerHalf(half, x), hn::UpperHalf(half, x)));
  }
#endif
  static_cast<void>(d);
  return hn::GetLane(x);
}

HWY_INLINE float fold(FloatVector (&sums)[kParts]) {
  for (std::size_t half = kParts / 2; half > 0; half /= 2) {
    for (std::size_t p = 0; p < half; ++p) sums[p] = hn::Add(sums[p], sums[p + half]);
  }
  return fold_lanes(FloatTag(), sums[0]);
}

// Registers are aligned: the first ones may begin above the top documents, the last one may end
// beyond the last document; those are masked.
template <bool kDistance, bool kTwo>
HWY_INLINE void pair_tops(const LambdaArrays& a, std::size_t rank, FloatVector (&total)[kParts],
                          TopSums* sums) {
  TopDocument first;
  TopDocument second;
  start_top(a, rank, first);
  start_top(a, kTwo ? rank + 1 : rank, second);
  std::size_t at = (rank + 1) / kLambdaWidth * kLambdaWidth;
  for (; at < rank + 2 && at < a.num_documents; at += kLambdaWidth) {
    add_border<kDistance, kTwo>(a, at, first, second, total);
  }
  for (; at + kLambdaWidth <= a.num_documents; at += kLambdaWidth) {
    add_register<kDistance, kTwo>(a, at, first, second, total);
  }
  if (at < a.num_documents) add_border<kDistance, kTwo>(a, at, first, second, total);
  sums[0] = {fold(first.lambda_sum), fold(first.hessian_sum)};
  if constexpr (kTwo) sums[1] = {fold(second.lambda_sum), fold(second.hessian_sum)};
}

template <bool kDistance>
double lambdas_of(const LambdaArrays& a) {
  const FloatTag d;
  const auto zero = hn::Zero(d);
  for (std::size_t at = 0; at < a.num_documents; at += kLanes) {
    hn::Store(exp_of(hn::Load(d, a.scores + at)), d, a.exponentials + at);
    hn::Store(zero, d, a.lambdas + at);
    hn::Store(zero, d, a.hessians + at);
  }
  FloatVector total[kParts];
  clear(total);
  // The tops' own sums wait until a batch of them is done: a number written into the arrays would
  // hold up the next read of its register.
  constexpr std::size_t kBatch = 32;
  TopSums sums[kBatch];
  for (std::size_t batch = 0; batch < a.num_tops; batch += kBatch) {
    if (a.stop != nullptr && a.stop->load(std::memory_order_relaxed)) return 0;
    const std::size_t end = batch + kBatch < a.num_tops ? batch + kBatch : a.num_tops;
    std::size_t rank = batch;
    for (; rank + 2 <= end; rank += 2) {
      pair_tops<kDistance, true>(a, rank, total, sums + (rank - batch));
    }
    if (rank < end) pair_tops<kDistance, false>(a, rank, total, sums + (rank - batch));
    for (rank = batch; rank < end; ++rank) {
      a.lambdas[rank] -= sums[rank - batch].lambda;
      a.hessians[rank] += sums[rank - batch].hessian;
    }
  }
  return 2.0 * static_cast<double>(fold(total));
}

double compute_lambdas(const LambdaArrays& arrays) {
  return arrays.distance_floor > 0 ? lambdas_of<true>(arrays) : lambdas_of<false>(arrays);
}

// The lowest and the highest of `count` values, `count` > 0.
ScoreRange score_range(const double* values, std::size_t count) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  ScoreRange range{values[0], values[0]};
  std::size_t at = 0;
  if (count >= lanes) {
    auto lowest = hn::LoadU(d, values);
    auto highest = lowest;
    for (; at + lanes <= count; at += lanes) {
      const auto value = hn::LoadU(d, values + at);
      lowest = hn::Min(lowest, value);
      highest = hn::Max(highest, value);
    }
    range = {hn::GetLane(hn::MinOfLanes(d, lowest)), hn::GetLane(hn::MaxOfLanes(d, highest))};
  }
  for (; at < count; ++at) {
    range.lowest = values[at] < range.lowest ? values[at] : range.lowest;
    range.highest = values[at] > range.highest ? values[at] : range.highest;
  }
  return range;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(compute_lambdas);
HWY_EXPORT(score_range);

}  // namespace

double compute_lambdas(const LambdaArrays& arrays) {
  return HWY_DYNAMIC_DISPATCH(compute_lambdas)(arrays);
}

ScoreRange score_range(std::span<const double> scores) {
  return HWY_DYNAMIC_DISPATCH(score_range)(scores.data(), scores.size());
}

}  // namespace glassrank
#endif
