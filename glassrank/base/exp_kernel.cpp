#include <cstddef>
#include <span>

#include "glassrank/base/elementary.h"

// Highway compiles the rest of this file once per instruction set.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/base/exp_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/base/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

HWY_ATTR void exp_all(std::span<double> values) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    const Vector x = hn::LoadU(d, values.data() + i);
    if (hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kMostExponent)))) {
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
