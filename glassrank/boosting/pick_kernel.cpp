#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/pick_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/pick_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A full vector is stored each time, at the place of the next index.
std::size_t doubles_outside(std::span<const double> values, const ValueRange& range,
                            std::uint64_t* out) {
  const hn::CappedTag<double, kPickPadding> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(d, range.low);
  const auto high = hn::Set(d, range.high);
  std::size_t count = 0;
  std::size_t at = 0;
  for (; at + lanes <= values.size(); at += lanes) {
    const auto value = hn::LoadU(d, values.data() + at);
    const auto passes = hn::RebindMask(du, hn::Or(hn::Le(value, low), hn::Ge(value, high)));
    if (hn::AllFalse(du, passes)) continue;
    hn::StoreU(hn::Compress(hn::Iota(du, at), passes), du, out + count);
    count += hn::CountTrue(du, passes);
  }
  for (; at < values.size(); ++at) {
    if (values[at] <= range.low || values[at] >= range.high) out[count++] = at;
  }
  return count;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(doubles_outside);

}  // namespace

std::size_t find_outside(std::span<const double> values, const ValueRange& range,
                         std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(doubles_outside)(values, range, out);
}

}  // namespace glassrank
#endif
