#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

#include "glassrank/base/elementary.h"
#include "glassrank/base/exp_steps.h"

// Highway compiles the rest of this file once per instruction set.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/base/exp_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

// portable_exp operation by operation, |x| <= kMost.
constexpr double kMost = 700;

HWY_INLINE Vector exp_of(Vector x) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> di;
  const auto number = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  const Vector rounder = number(kRounder);
  const Vector shifted = hn::Add(hn::Mul(x, number(kExpSteps * std::numbers::log2e)), rounder);
  const Vector steps = hn::Sub(shifted, rounder);
  // The rounder leaves the whole number in the low bits.
  const auto whole = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, rounder));
  const Vector high = hn::Sub(x, hn::Mul(steps, number(kLn2High / kExpSteps)));
  const Vector low = hn::Mul(steps, number(kLn2Low / kExpSteps));
  const Vector r = hn::Sub(high, low);
  const Vector r2 = hn::Mul(r, r);
  const Vector head = hn::Add(number(0.5), hn::Mul(r, number(1.0 / 6)));
  const Vector middle = hn::Add(number(1.0 / 24), hn::Mul(r, number(1.0 / 120)));
  const Vector tail = hn::Add(middle, hn::Mul(r2, number(1.0 / 720)));
  const Vector series = hn::Add(head, hn::Mul(r2, tail));
  const Vector rest = hn::Sub(hn::Sub(high, r), low);
  const Vector above_one = hn::Add(r, hn::Add(hn::Mul(r2, series), rest));
  const double* const table = &kExpPowers[0].value;
  const auto entry = hn::ShiftLeft<1>(hn::And(whole, hn::Set(di, kExpSteps - 1)));
  const Vector power = hn::GatherIndex(d, table, entry);
  const Vector power_rest = hn::GatherIndex(d, table + 1, entry);
  const Vector value = hn::Add(power, hn::Add(hn::Mul(power, above_one), power_rest));
  const auto exponent = hn::Add(hn::ShiftRight<5>(whole), hn::Set(di, 1023));
  return hn::Mul(value, hn::BitCast(d, hn::ShiftLeft<52>(exponent)));
}

HWY_ATTR void exp_all(std::span<double> values) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    const Vector x = hn::LoadU(d, values.data() + i);
    if (hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kMost)))) {
      hn::StoreU(exp_of(x), d, values.data() + i);
    } else {
      for (std::size_t k = i; k < i + lanes; ++k) values[k] = portable_exp(values[k]);
    }
  }
  for (; i < values.size(); ++i) values[i] = portable_exp(values[i]);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(exp_all);

void portable_exp_all(std::span<double> values) { HWY_DYNAMIC_DISPATCH(exp_all)(values); }

}  // namespace glassrank
#endif
