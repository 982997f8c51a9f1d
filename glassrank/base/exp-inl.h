// portable_exp() of elementary.h for vectors of doubles of any length: the same operations in the
// same order, so that a lane has the bits of the plain function. Included once per instruction set,
// after foreach_target.h, by the kernels that need exponentials.

#if defined(GLASSRANK_BASE_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_BASE_EXP_INL_H_
#undef GLASSRANK_BASE_EXP_INL_H_
#else
#define GLASSRANK_BASE_EXP_INL_H_
#endif

#include <cstddef>
#include <numbers>

#include <hwy/highway.h>

#include "glassrank/base/exp_steps.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

// Where |x| is at most this for every lane.
constexpr double kMostExponent = 700;

template <typename V>
HWY_INLINE V exp_of(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::DFromV<V> d;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  const auto number = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  const V rounder = number(kRounder);
  const V shifted = hn::Add(hn::Mul(x, number(kExpSteps * std::numbers::log2e)), rounder);
  const V steps = hn::Sub(shifted, rounder);
  // The rounder leaves the whole number in the low bits.
  const auto whole = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, rounder));
  const V high = hn::Sub(x, hn::Mul(steps, number(kLn2High / kExpSteps)));
  const V low = hn::Mul(steps, number(kLn2Low / kExpSteps));
  const V r = hn::Sub(high, low);
  const V r2 = hn::Mul(r, r);
  const V head = hn::Add(number(0.5), hn::Mul(r, number(1.0 / 6)));
  const V middle = hn::Add(number(1.0 / 24), hn::Mul(r, number(1.0 / 120)));
  const V tail = hn::Add(middle, hn::Mul(r2, number(1.0 / 720)));
  const V series = hn::Add(head, hn::Mul(r2, tail));
  const V rest = hn::Sub(hn::Sub(high, r), low);
  const V above_one = hn::Add(r, hn::Add(hn::Mul(r2, series), rest));
  const double* const table = &kExpPowers[0].value;
  const auto entry = hn::ShiftLeft<1>(hn::And(whole, hn::Set(di, kExpSteps - 1)));
  const V power = hn::GatherIndex(d, table, entry);
  const V power_rest = hn::GatherIndex(d, table + 1, entry);
  const V value = hn::Add(power, hn::Add(hn::Mul(power, above_one), power_rest));
  const auto exponent = hn::Add(hn::ShiftRight<5>(whole), hn::Set(di, 1023));
  return hn::Mul(value, hn::BitCast(d, hn::ShiftLeft<52>(exponent)));
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
