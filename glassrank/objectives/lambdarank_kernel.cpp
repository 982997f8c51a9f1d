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

// One document against a register of documents below it.
struct TopDocument {
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
HWY_INLINE PairTerms pair_terms(const LambdaArrays& a, const TopDocument& top, std::size_t at) {
  const FloatTag d;
  const auto below_exponential = hn::LoadU(d, a.exponentials + at);
  const auto gain_gap = hn::Sub(top.gain, hn::LoadU(d, a.gains + at));
  const auto discount_gap = hn::Sub(top.discount, hn::LoadU(d, a.discounts + at));
  auto divisor = hn::Add(top.exponential, below_exponential);
  auto distance = hn::Set(d, 1.0F);
  if constexpr (kDistance) {
    distance = hn::MulAdd(hn::Sub(top.score, hn::LoadU(d, a.scores + at)),
                          hn::Set(d, a.inverse_sigma), hn::Set(d, a.distance_floor));
    divisor = hn::Mul(divisor, distance);
  }
  // One Newton step brings the estimate to within float32 rounding.
  const auto estimate = hn::ApproximateReciprocal(divisor);
  const auto inverse = hn::Mul(estimate, hn::NegMulAdd(estimate, divisor, hn::Set(d, 2.0F)));
  // The chance that the pair is ordered wrongly has the lower one's exponential on top.
  const auto top_is_high = hn::Gt(gain_gap, hn::Zero(d));
  const auto low = hn::IfThenElse(top_is_high, below_exponential, top.exponential);
  const auto scaled_chance = hn::Mul(low, inverse);  // p / distance
  const auto lambda = hn::Mul(hn::Mul(gain_gap, discount_gap), scaled_chance);
  const auto size = hn::Abs(lambda);
  const auto chance = hn::Mul(scaled_chance, distance);
  return {.lambda = lambda, .hessian = hn::NegMulAdd(size, chance, size)};
}

template <bool kDistance>
double lambdas_of(const LambdaArrays& a) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t n = a.num_documents;
  const auto zero = hn::Zero(d);
  for (std::size_t at = 0; at < n; at += lanes) {
    hn::StoreU(hn::Exp(d, hn::LoadU(d, a.scores + at)), d, a.exponentials + at);
    hn::StoreU(zero, d, a.lambdas + at);
    hn::StoreU(zero, d, a.hessians + at);
  }
  auto total = zero;
  for (std::size_t i = 0; i < a.num_tops; ++i) {
    const TopDocument top{.score = hn::Set(d, a.scores[i]),
                          .exponential = hn::Set(d, a.exponentials[i]),
                          .gain = hn::Set(d, a.gains[i]),
                          .discount = hn::Set(d, a.discounts[i])};
    auto lambda_sum = zero;
    auto hessian_sum = zero;
    const auto add = [&](std::size_t at, const PairTerms& terms) HWY_ATTR {
      lambda_sum = hn::Add(lambda_sum, terms.lambda);
      hessian_sum = hn::Add(hessian_sum, terms.hessian);
      total = hn::Add(total, hn::Abs(terms.lambda));
      hn::StoreU(hn::Add(hn::LoadU(d, a.lambdas + at), terms.lambda), d, a.lambdas + at);
      hn::StoreU(hn::Add(hn::LoadU(d, a.hessians + at), terms.hessian), d, a.hessians + at);
    };
    const auto add_partial = [&](std::size_t at, hn::Mask<FloatTag> mask) HWY_ATTR {
      PairTerms terms = pair_terms<kDistance>(a, top, at);
      terms.lambda = hn::IfThenElseZero(mask, terms.lambda);
      terms.hessian = hn::IfThenElseZero(mask, terms.hessian);
      add(at, terms);
    };
    // Unaligned: the first register starts right below the top document.
    std::size_t at = i + 1;
    for (; at + lanes <= n; at += lanes) add(at, pair_terms<kDistance>(a, top, at));
    if (at < n) add_partial(at, hn::FirstN(d, n - at));
    a.lambdas[i] -= hn::GetLane(hn::SumOfLanes(d, lambda_sum));
    a.hessians[i] += hn::GetLane(hn::SumOfLanes(d, hessian_sum));
  }
  return 2.0 * static_cast<double>(hn::GetLane(hn::SumOfLanes(d, total)));
}

double compute_lambdas(const LambdaArrays& arrays) {
  return arrays.distance_floor > 0 ? lambdas_of<true>(arrays) : lambdas_of<false>(arrays);
}

// Counts, for a register of documents, how many come before each: all with a larger key, and those
// with an equal key that stand earlier in the input.
void rank_by_counting(float* keys, std::size_t count, std::uint32_t* ranks) {
  const FloatTag d;
  const hn::RebindToUnsigned<FloatTag> du;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < lanes; ++i) keys[count + i] = -std::numeric_limits<float>::infinity();
  const auto one = hn::Set(du, 1);
  for (std::size_t block = 0; block < count; block += lanes) {
    const auto own = hn::LoadU(d, keys + block);
    auto before = hn::Zero(du);
    const auto count_if = [&](hn::Mask<FloatTag> mask) HWY_ATTR {
      before = hn::Add(before, hn::IfThenElseZero(hn::RebindMask(du, mask), one));
    };
    std::size_t k = 0;
    for (; k < block; ++k) count_if(hn::Ge(hn::Set(d, keys[k]), own));
    const std::size_t end = block + lanes < count ? block + lanes : count;
    for (; k < end; ++k) {
      const auto other = hn::Set(d, keys[k]);
      const auto later = hn::Not(hn::FirstN(d, k - block + 1));
      count_if(hn::Or(hn::Gt(other, own), hn::And(later, hn::Eq(other, own))));
    }
    for (; k < count; ++k) count_if(hn::Gt(hn::Set(d, keys[k]), own));
    hn::StoreU(before, du, ranks + block);
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

// Counting is quadratic; beyond this many documents sorting wins.
constexpr std::size_t kCountingLimit = 512;

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

void rank_descending(float* keys, std::size_t count, std::uint32_t* ranks, std::uint32_t* order) {
  if (count > kCountingLimit) {
    rank_by_sorting(keys, count, order);
    return;
  }
  HWY_DYNAMIC_DISPATCH(rank_by_counting)(keys, count, ranks);
  for (std::size_t i = 0; i < count; ++i) order[ranks[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace glassrank
#endif
