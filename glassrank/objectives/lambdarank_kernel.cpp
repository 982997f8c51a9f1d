#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/objectives/lambdarank_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <limits>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "glassrank/objectives/lambdarank_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

// One document against registers of documents below it, and the sums of those pairs.
struct TopDocument {
  std::size_t rank;
  FloatVector score;
  FloatVector exponential;
  FloatVector gain;
  FloatVector discount;
  FloatVector lambda_sum;
  FloatVector hessian_sum;
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

template <bool kDistance>
HWY_INLINE PairTerms pair_terms(const LambdaArrays& a, const TopDocument& top, const Below& below) {
  const FloatTag d;
  const auto gain_gap = hn::Sub(top.gain, below.gain);
  const auto discount_gap = hn::Sub(top.discount, below.discount);
  auto divisor = hn::Add(top.exponential, below.exponential);
  auto distance = hn::Set(d, 1.0F);
  if constexpr (kDistance) {
    distance = hn::MulAdd(hn::Sub(top.score, below.score), hn::Set(d, a.inverse_sigma),
                          hn::Set(d, a.distance_floor));
    divisor = hn::Mul(divisor, distance);
  }
  // One Newton step brings the estimate to within float32 rounding.
  const auto estimate = hn::ApproximateReciprocal(divisor);
  const auto inverse = hn::Mul(estimate, hn::NegMulAdd(estimate, divisor, hn::Set(d, 2.0F)));
  // The chance that the pair is ordered wrongly has the lower one's exponential on top.
  const auto top_is_high = hn::Gt(gain_gap, hn::Zero(d));
  const auto low = hn::IfThenElse(top_is_high, below.exponential, top.exponential);
  const auto scaled_chance = hn::Mul(low, inverse);  // p / distance
  const auto lambda = hn::Mul(hn::Mul(gain_gap, discount_gap), scaled_chance);
  const auto size = hn::Abs(lambda);
  const auto chance = kDistance ? hn::Mul(scaled_chance, distance) : scaled_chance;
  return {.lambda = lambda, .hessian = hn::NegMulAdd(size, chance, size)};
}

HWY_INLINE TopDocument top_document(const LambdaArrays& a, std::size_t rank) {
  const FloatTag d;
  return {.rank = rank,
          .score = hn::Set(d, a.scores[rank]),
          .exponential = hn::Set(d, a.exponentials[rank]),
          .gain = hn::Set(d, a.gains[rank]),
          .discount = hn::Set(d, a.discounts[rank]),
          .lambda_sum = hn::Zero(d),
          .hessian_sum = hn::Zero(d)};
}

// Adds the pairs of one top document with a register of documents to `terms` and its own sums.
// kMasked: only documents below the top one and before the end count.
template <bool kDistance, bool kMasked>
HWY_INLINE void add_pairs(const LambdaArrays& a, const Below& below, std::size_t at,
                          TopDocument& top, PairTerms& terms, FloatVector& total) {
  const FloatTag d;
  PairTerms own = pair_terms<kDistance>(a, top, below);
  if constexpr (kMasked) {
    const std::size_t skipped = top.rank + 1 > at ? top.rank + 1 - at : 0;
    const auto mask = hn::And(hn::Not(hn::FirstN(d, skipped)), hn::FirstN(d, a.num_documents - at));
    own.lambda = hn::IfThenElseZero(mask, own.lambda);
    own.hessian = hn::IfThenElseZero(mask, own.hessian);
  }
  top.lambda_sum = hn::Add(top.lambda_sum, own.lambda);
  top.hessian_sum = hn::Add(top.hessian_sum, own.hessian);
  total = hn::Add(total, hn::Abs(own.lambda));
  terms.lambda = hn::Add(terms.lambda, own.lambda);
  terms.hessian = hn::Add(terms.hessian, own.hessian);
}

// One register of documents against one or two tops.
template <bool kDistance, bool kMasked, bool kTwo>
HWY_INLINE void add_register(const LambdaArrays& a, std::size_t at, TopDocument& first,
                             TopDocument& second, FloatVector& total) {
  const FloatTag d;
  const Below below{.score = hn::Load(d, a.scores + at),
                    .exponential = hn::Load(d, a.exponentials + at),
                    .gain = hn::Load(d, a.gains + at),
                    .discount = hn::LoadU(d, a.discounts + at)};
  PairTerms terms{.lambda = hn::Load(d, a.lambdas + at), .hessian = hn::Load(d, a.hessians + at)};
  add_pairs<kDistance, kMasked>(a, below, at, first, terms, total);
  if constexpr (kTwo) add_pairs<kDistance, kMasked>(a, below, at, second, terms, total);
  hn::Store(terms.lambda, d, a.lambdas + at);
  hn::Store(terms.hessian, d, a.hessians + at);
}

// Registers are aligned: the first ones may begin above the top documents, the last one may end
// beyond the last document; those are masked.
template <bool kDistance, bool kTwo>
HWY_INLINE void pair_tops(const LambdaArrays& a, std::size_t rank, FloatVector& total) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  TopDocument first = top_document(a, rank);
  TopDocument second = top_document(a, kTwo ? rank + 1 : rank);
  std::size_t at = (rank + 1) / lanes * lanes;
  for (; at < rank + 2 && at < a.num_documents; at += lanes) {
    add_register<kDistance, true, kTwo>(a, at, first, second, total);
  }
  for (; at + lanes <= a.num_documents; at += lanes) {
    add_register<kDistance, false, kTwo>(a, at, first, second, total);
  }
  if (at < a.num_documents) add_register<kDistance, true, kTwo>(a, at, first, second, total);
  a.lambdas[rank] -= hn::GetLane(hn::SumOfLanes(d, first.lambda_sum));
  a.hessians[rank] += hn::GetLane(hn::SumOfLanes(d, first.hessian_sum));
  if constexpr (kTwo) {
    a.lambdas[rank + 1] -= hn::GetLane(hn::SumOfLanes(d, second.lambda_sum));
    a.hessians[rank + 1] += hn::GetLane(hn::SumOfLanes(d, second.hessian_sum));
  }
}

template <bool kDistance>
double lambdas_of(const LambdaArrays& a) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  for (std::size_t at = 0; at < a.num_documents; at += lanes) {
    hn::Store(hn::Exp(d, hn::Load(d, a.scores + at)), d, a.exponentials + at);
    hn::Store(zero, d, a.lambdas + at);
    hn::Store(zero, d, a.hessians + at);
  }
  auto total = zero;
  std::size_t rank = 0;
  for (; rank + 2 <= a.num_tops; rank += 2) pair_tops<kDistance, true>(a, rank, total);
  if (rank < a.num_tops) pair_tops<kDistance, false>(a, rank, total);
  return 2.0 * static_cast<double>(hn::GetLane(hn::SumOfLanes(d, total)));
}

double compute_lambdas(const LambdaArrays& arrays) {
  return arrays.distance_floor > 0 ? lambdas_of<true>(arrays) : lambdas_of<false>(arrays);
}

// ranks[i] = how many documents come before i: all with a smaller key, and those with an equal key
// that stand earlier. Keys are padded with the largest.
void rank_by_counting(const std::int16_t* keys, std::size_t count, std::int16_t* ranks) {
  const hn::ScalableTag<std::int16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t block = 0; block < count; block += lanes) {
    const auto own = hn::Load(d, keys + block);
    // Masks are -1 where true. Of the earlier documents, all but those with a larger key.
    auto before = hn::Set(d, static_cast<std::int16_t>(block));
    auto before_too = hn::Zero(d);
    std::size_t k = 0;
    for (; k < block; k += 2) {
      before = hn::Add(before, hn::VecFromMask(d, hn::Gt(hn::Set(d, keys[k]), own)));
      before_too = hn::Add(before_too, hn::VecFromMask(d, hn::Gt(hn::Set(d, keys[k + 1]), own)));
    }
    const std::size_t end = block + lanes < count ? block + lanes : count;
    for (; k < end; ++k) {
      const auto other = hn::Set(d, keys[k]);
      const auto later = hn::Not(hn::FirstN(d, k - block + 1));
      const auto counts = hn::Or(hn::Gt(own, other), hn::And(later, hn::Eq(own, other)));
      before = hn::Sub(before, hn::VecFromMask(d, counts));
    }
    for (; k + 2 <= count; k += 2) {
      before = hn::Sub(before, hn::VecFromMask(d, hn::Gt(own, hn::Set(d, keys[k]))));
      before_too = hn::Sub(before_too, hn::VecFromMask(d, hn::Gt(own, hn::Set(d, keys[k + 1]))));
    }
    if (k < count) before = hn::Sub(before, hn::VecFromMask(d, hn::Gt(own, hn::Set(d, keys[k]))));
    hn::Store(hn::Add(before, before_too), d, ranks + block);
  }
}

// The lowest and the highest of `count` values, `count` > 0.
template <typename T>
ScoreRange<T> range_of(const T* values, std::size_t count) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  ScoreRange<T> range{values[0], values[0]};
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

ScoreRange<double> double_range(const double* values, std::size_t count) {
  return range_of(values, count);
}

// Keys in the order of falling scores: 65,534 steps from the highest to the lowest, shifted to fit.
void coarse_keys(const float* scores, std::size_t count, std::int16_t* keys) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  const hn::Rebind<std::int16_t, FloatTag> d16;
  const ScoreRange<float> range = range_of(scores, count);
  const float span = range.highest - range.lowest;
  // A span too small to divide by leaves everything to the exact comparison.
  const float steps = span > 1e-30F ? 65'534.0F / span : 0.0F;
  const auto top = hn::Set(d, range.highest);
  for (std::size_t at = 0; at < count; at += hn::Lanes(d)) {
    const auto fall = hn::Mul(hn::Sub(top, hn::Load(d, scores + at)), hn::Set(d, steps));
    const auto key = hn::Sub(hn::ConvertTo(di, fall), hn::Set(di, 32'767));
    hn::StoreU(hn::DemoteTo(d16, key), d16, keys + at);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <bit>
#include <vector>

namespace glassrank {
namespace {

HWY_EXPORT(compute_lambdas);
HWY_EXPORT(rank_by_counting);
HWY_EXPORT(coarse_keys);
HWY_EXPORT(double_range);

// Counting is quadratic; beyond this many documents sorting wins.
constexpr std::size_t kCountingLimit = 640;

// Ascending order of the result is descending order of the keys, then input order.
std::uint64_t sort_key(float key, std::size_t index) {
  const auto bits = std::bit_cast<std::uint32_t>(key + 0.0F);  // -0 becomes +0
  const std::uint32_t ascending = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
  return (std::uint64_t{~ascending} << 32) | index;
}

void rank_by_sorting(const float* keys, std::size_t count, std::uint32_t* order) {
  std::vector<std::uint64_t> sorted(count);
  for (std::size_t i = 0; i < count; ++i) sorted[i] = sort_key(keys[i], i);
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(sorted[i]);
}

}  // namespace

double compute_lambdas(const LambdaArrays& arrays) {
  return HWY_DYNAMIC_DISPATCH(compute_lambdas)(arrays);
}

ScoreRange<double> score_range(std::span<const double> scores) {
  return HWY_DYNAMIC_DISPATCH(double_range)(scores.data(), scores.size());
}

void rank_descending(float* keys, std::size_t count, std::uint32_t* scratch, std::uint32_t* order) {
  if (count > kCountingLimit) {
    rank_by_sorting(keys, count, order);
    return;
  }
  auto* coarse = reinterpret_cast<std::int16_t*>(scratch);
  std::int16_t* ranks = coarse + count + kLambdaPadding - count % kLambdaPadding;
  std::fill_n(keys + count, kLambdaPadding, 0.0F);
  HWY_DYNAMIC_DISPATCH(coarse_keys)(keys, count, coarse);
  std::fill(coarse + count, ranks, std::int16_t{32'767});
  HWY_DYNAMIC_DISPATCH(rank_by_counting)(coarse, count, ranks);
  for (std::size_t i = 0; i < count; ++i) {
    order[static_cast<std::size_t>(ranks[i])] = static_cast<std::uint32_t>(i);
  }
  // Scores closer than a step are still in input order: few, and near their place.
  for (std::size_t r = 1; r < count; ++r) {
    const std::uint32_t document = order[r];
    std::size_t to = r;
    for (; to > 0 && keys[order[to - 1]] < keys[document]; --to) order[to] = order[to - 1];
    order[to] = document;
  }
}

}  // namespace glassrank
#endif
