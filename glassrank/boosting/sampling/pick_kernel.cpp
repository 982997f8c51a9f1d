#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/sampling/pick_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/highway.h>

#include "glassrank/boosting/sampling/pick_kernel.h"

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

using ScoreTag = hn::CappedTag<double, kPickPadding>;

// Loads of the last values leave NaN in lanes beyond the end, which no comparison counts.
HWY_INLINE hn::Vec<ScoreTag> load(std::span<const double> values, std::size_t at) {
  const ScoreTag d;
  if (at + hn::Lanes(d) <= values.size()) return hn::LoadU(d, values.data() + at);
  const auto mask = hn::FirstN(d, values.size() - at);
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, values.data() + at),
                        hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
}

template <typename Compare>
HWY_INLINE std::size_t count_where(std::span<const double> values, double other,
                                   Compare&& compare) {
  const ScoreTag d;
  const auto wanted = hn::Set(d, other);
  std::size_t count = 0;
  for (std::size_t at = 0; at < values.size(); at += hn::Lanes(d)) {
    count += hn::CountTrue(d, compare(load(values, at), wanted));
  }
  return count;
}

using ScoreVector = hn::Vec<ScoreTag>;

std::size_t count_above(std::span<const double> values, double border) {
  return count_where(values, border,
                     [](ScoreVector a, ScoreVector b) HWY_ATTR { return hn::Gt(a, b); });
}

std::size_t count_equal(std::span<const double> values, double value) {
  return count_where(values, value,
                     [](ScoreVector a, ScoreVector b) HWY_ATTR { return hn::Eq(a, b); });
}

ValueRange range_of(std::span<const double> values) {
  const ScoreTag d;
  auto low = hn::Set(d, std::numeric_limits<double>::infinity());
  auto high = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (std::size_t at = 0; at < values.size(); at += hn::Lanes(d)) {
    const auto value = load(values, at);
    low = hn::IfThenElse(hn::Lt(value, low), value, low);
    high = hn::IfThenElse(hn::Gt(value, high), value, high);
  }
  return {.low = hn::GetLane(hn::MinOfLanes(d, low)), .high = hn::GetLane(hn::MaxOfLanes(d, high))};
}

double highest_below(std::span<const double> values, double limit) {
  const ScoreTag d;
  const auto end = hn::Set(d, limit);
  auto highest = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (std::size_t at = 0; at < values.size(); at += hn::Lanes(d)) {
    const auto value = load(values, at);
    const auto is_higher = hn::And(hn::Lt(value, end), hn::Gt(value, highest));
    highest = hn::IfThenElse(is_higher, value, highest);
  }
  return hn::GetLane(hn::MaxOfLanes(d, highest));
}

// Fewer than `count` values lie above `high`. Halves the range until the count is right; every now
// and then looks whether the next value below is what it comes to, equal ones with it.
ValueBorder separating(std::span<const double> values, std::size_t count) {
  constexpr int kHalvings = 10;
  constexpr int kMostHalvings = 6 * kHalvings;
  auto [low, high] = range_of(values);
  for (int step = 1;; ++step) {
    const double middle = 0.5 * low + 0.5 * high;
    if (step < kMostHalvings && step % kHalvings != 0 && middle > low && middle < high) {
      const std::size_t above = count_above(values, middle);
      if (above == count) return {.value = middle, .num_equal = 0};
      (above > count ? low : high) = middle;
      continue;
    }
    const double limit = std::nextafter(high, std::numeric_limits<double>::infinity());
    const double next = highest_below(values, limit);
    const std::size_t above = count_above(values, next);
    if (above + count_equal(values, next) >= count) {
      return {.value = next, .num_equal = count - above};
    }
    high = std::nextafter(next, -std::numeric_limits<double>::infinity());
  }
}

// Equal values are few: only vectors that have some are looked at one by one.
void lose_numbered(std::span<double> values, double value, NumberRange lost) {
  const ScoreTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto wanted = hn::Set(d, value);
  std::size_t number = 0;
  for (std::size_t at = 0; at < values.size() && number < lost.end; at += lanes) {
    if (hn::AllFalse(d, hn::Eq(load(values, at), wanted))) continue;
    for (std::size_t i = at; i < std::min(at + lanes, values.size()); ++i) {
      if (values[i] != value) continue;
      if (number >= lost.begin && number < lost.end) {
        values[i] = std::numeric_limits<double>::quiet_NaN();
      }
      ++number;
    }
  }
}

std::size_t not_within(std::span<const double> values, const ValueRange& range,
                       std::uint32_t* out) {
  const ScoreTag d;
  const hn::RebindToUnsigned<ScoreTag> wide;
  const hn::Rebind<std::uint32_t, ScoreTag> narrow;
  const auto low = hn::Set(d, range.low);
  const auto high = hn::Set(d, range.high);
  const std::size_t lanes = hn::Lanes(d);
  auto places = hn::Iota(wide, 0);
  std::size_t count = 0;
  std::size_t at = 0;
  for (; at + lanes <= values.size(); at += lanes) {
    const auto value = hn::LoadU(d, values.data() + at);
    const auto within = hn::And(hn::Gt(value, low), hn::Le(value, high));
    const auto outside = hn::Not(within);
    const auto kept = hn::Compress(places, hn::RebindMask(wide, outside));
    hn::StoreU(hn::TruncateTo(narrow, kept), narrow, out + count);
    count += hn::CountTrue(d, outside);
    places = hn::Add(places, hn::Set(wide, lanes));
  }
  for (; at < values.size(); ++at) {
    if (values[at] > range.low && values[at] <= range.high) continue;
    out[count++] = static_cast<std::uint32_t>(at);
  }
  return count;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(doubles_outside);
HWY_EXPORT(lose_numbered);
HWY_EXPORT(not_within);
HWY_EXPORT(separating);

}  // namespace

std::size_t find_outside(std::span<const double> values, const ValueRange& range,
                         std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(doubles_outside)(values, range, out);
}

ValueBorder separate_highest(std::span<const double> values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(separating)(values, count);
}

void lose_equal(std::span<double> values, double value, NumberRange lost) {
  HWY_DYNAMIC_DISPATCH(lose_numbered)(values, value, lost);
}

std::size_t find_not_within(std::span<const double> values, const ValueRange& range,
                            std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(not_within)(values, range, out);
}

}  // namespace glassrank
#endif
