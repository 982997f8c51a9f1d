#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/methods/ebm/lane_pass_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>

#include <hwy/highway.h>

#include "glassrank/methods/ebm/lane_pass_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using L = hn::CappedTag<std::int64_t, kBagLanes>;
using D = hn::Rebind<double, L>;
using I = hn::Rebind<std::int32_t, L>;

enum class Sum { kNone, kSome, kAll };  // the lanes that train

// FixedPoint::to_units_quickly() of numbers in units.
HWY_INLINE hn::Vec<L> rounded(hn::Vec<D> x) {
  const auto shifted = hn::Add(x, hn::Set(D(), FixedPoint::kShift));
  return hn::Sub(hn::BitCast(L(), shifted), hn::Set(L(), FixedPoint::kShiftBits));
}

// x^2 / 2^bits, rounded down, of numbers of 32 bits.
HWY_INLINE hn::Vec<L> shifted_squares(hn::Vec<L> x, int bits) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(L(), (hn::GetLane(x) * hn::GetLane(x)) >> bits);
#else
  const hn::Repartition<std::int32_t, L> halves;
  const hn::RebindToUnsigned<L> not_negative;  // a shift that AVX2 has
  const auto square = hn::MulEven(hn::BitCast(halves, x), hn::BitCast(halves, x));
  return hn::BitCast(L(), hn::ShiftRightSame(hn::BitCast(not_negative, square), bits));
#endif
}

template <Sum kSum, bool kJudge, bool kWeighted, typename Code>
void pass_segment(const LanePass<Code>& pass, const LaneSegment& segment, std::int64_t* losses) {
  const Code* step_codes = pass.step_codes.data();
  const Code* codes = pass.codes.data();
  const float* weights = pass.weights.data();
  const auto sum_units = hn::Set(D(), pass.units.sums.up());
  const auto loss_units = hn::Set(D(), pass.units.losses.up());
  const int loss_shift = pass.units.loss_shift();
  for (std::size_t lane = 0; lane < kBagLanes; lane += hn::Lanes(L())) {
    std::int64_t roles[2][kBagLanes];
    for (std::size_t i = 0; i < kBagLanes; ++i) {
      roles[0][i] = segment.trains[i] ? -1 : 0;
      roles[1][i] = segment.judges[i] ? -1 : 0;
    }
    const auto trains = hn::LoadU(L(), roles[0] + lane);
    const auto judges = hn::LoadU(L(), roles[1] + lane);
    std::int32_t* errors = pass.errors.data() + lane;
    const std::int32_t* step = pass.step.data() + lane;
    std::int64_t* sums = pass.sums.data() + lane;
    auto loss = hn::LoadU(L(), losses + lane);
    const auto one_row = [&](std::size_t r, std::size_t copy) HWY_ATTR {
      const auto error = hn::Add(hn::LoadU(I(), errors + kBagLanes * r),
                                 hn::LoadU(I(), step + kBagLanes * step_codes[r]));
      hn::StoreU(error, I(), errors + kBagLanes * r);
      if constexpr (kSum == Sum::kNone && !kJudge) return;
      auto added = hn::PromoteTo(L(), error);
      auto square = added;
      if constexpr (kWeighted) {
        const auto real = hn::PromoteTo(D(), error);
        const auto weighted = hn::Mul(real, hn::Set(D(), double{weights[r]}));
        if constexpr (kJudge) square = rounded(hn::Mul(hn::Mul(weighted, real), loss_units));
        added = rounded(hn::Mul(weighted, sum_units));
      } else if constexpr (kJudge) {
        square = shifted_squares(added, loss_shift);
      }
      if constexpr (kJudge) loss = hn::Add(loss, hn::And(judges, square));
      if constexpr (kSum != Sum::kNone) {
        if constexpr (kSum == Sum::kSome) added = hn::And(trains, added);
        std::int64_t* cell = sums + kBagLanes * (kSumCopies * codes[r] + copy);
        hn::StoreU(hn::Add(hn::LoadU(L(), cell), added), L(), cell);
      }
    };
    static_assert(kSumCopies == 2);
    const std::size_t end = segment.end;
    std::size_t r = segment.begin;
    for (; r + 2 <= end; r += 2) {
      one_row(r, 0);
      one_row(r + 1, 1);
    }
    if (r < end) one_row(r, 0);
    hn::StoreU(loss, L(), losses + lane);
  }
}

template <bool kJudge, bool kWeighted, typename Code>
void choose_sum(const LanePass<Code>& pass, const LaneSegment& segment, std::int64_t* losses) {
  const auto count = std::ranges::count(segment.trains, true);
  if (count == 0 || pass.codes.empty()) {
    pass_segment<Sum::kNone, kJudge, kWeighted>(pass, segment, losses);
  } else if (count < static_cast<std::ptrdiff_t>(kBagLanes)) {
    pass_segment<Sum::kSome, kJudge, kWeighted>(pass, segment, losses);
  } else {
    pass_segment<Sum::kAll, kJudge, kWeighted>(pass, segment, losses);
  }
}

template <typename Code>
void pass_all(const LanePass<Code>& pass, std::int64_t* losses) {
  for (const LaneSegment& segment : pass.segments) {
    const bool is_judged = std::ranges::count(segment.judges, true) > 0;
    if (pass.weights.empty()) {
      is_judged ? choose_sum<true, false>(pass, segment, losses)
                : choose_sum<false, false>(pass, segment, losses);
    } else {
      is_judged ? choose_sum<true, true>(pass, segment, losses)
                : choose_sum<false, true>(pass, segment, losses);
    }
  }
}

void pass_narrow(const LanePass<std::uint8_t>& pass, std::int64_t* losses) {
  pass_all(pass, losses);
}
void pass_wide(const LanePass<std::uint16_t>& pass, std::int64_t* losses) {
  pass_all(pass, losses);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(pass_narrow);
HWY_EXPORT(pass_wide);

}  // namespace

LaneLosses pass_lanes(const LanePass<std::uint8_t>& pass) {
  LaneLosses losses{};
  HWY_DYNAMIC_DISPATCH(pass_narrow)(pass, losses.data());
  return losses;
}

LaneLosses pass_lanes(const LanePass<std::uint16_t>& pass) {
  LaneLosses losses{};
  HWY_DYNAMIC_DISPATCH(pass_wide)(pass, losses.data());
  return losses;
}

}  // namespace glassrank
#endif
