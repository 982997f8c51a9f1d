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

// The sums of one top document's pairs.
struct TopSums {
  float lambda;
  float hessian;
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
HWY_INLINE void pair_tops(const LambdaArrays& a, std::size_t rank, FloatVector& total,
                          TopSums* sums) {
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
  sums[0] = {hn::GetLane(hn::SumOfLanes(d, first.lambda_sum)),
             hn::GetLane(hn::SumOfLanes(d, first.hessian_sum))};
  if constexpr (kTwo) {
    sums[1] = {hn::GetLane(hn::SumOfLanes(d, second.lambda_sum)),
               hn::GetLane(hn::SumOfLanes(d, second.hessian_sum))};
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
  // The tops' own sums wait until a batch of them is done: a number written into the arrays would
  // hold up the next read of its register.
  constexpr std::size_t kBatch = 32;
  TopSums sums[kBatch];
  for (std::size_t batch = 0; batch < a.num_tops; batch += kBatch) {
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
  return 2.0 * static_cast<double>(hn::GetLane(hn::SumOfLanes(d, total)));
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
