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

enum class Sum { kNone, kSome, kAll };  // the lanes that train

template <Sum kSum, bool kJudge, bool kWeighted, typename Code>
void pass_segment(const LanePass<Code>& pass, const LaneSegment& segment, double* losses) {
  const hn::CappedTag<double, kBagLanes> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const Code* step_codes = pass.step_codes.data();
  const Code* codes = pass.codes.data();
  const float* weights = pass.weights.data();
  for (std::size_t lane = 0; lane < kBagLanes; lane += hn::Lanes(dd)) {
    double roles[2][kBagLanes];
    for (std::size_t i = 0; i < kBagLanes; ++i) {
      roles[0][i] = segment.trains[i] ? 1 : 0;
      roles[1][i] = segment.judges[i] ? 1 : 0;
    }
    const auto trains = hn::Gt(hn::LoadU(dd, roles[0] + lane), hn::Zero(dd));
    const auto judges = hn::Gt(hn::LoadU(dd, roles[1] + lane), hn::Zero(dd));
    float* errors = pass.errors.data() + lane;
    const float* step = pass.step.data() + lane;
    double* sums = pass.sums.data() + lane;
    auto loss = hn::LoadU(dd, losses + lane);
    const auto one_row = [&](std::size_t r, std::size_t copy) HWY_ATTR {
      const auto narrow = hn::Add(hn::LoadU(df, errors + kBagLanes * r),
                                  hn::LoadU(df, step + kBagLanes * step_codes[r]));
      hn::StoreU(narrow, df, errors + kBagLanes * r);
      if constexpr (kSum == Sum::kNone && !kJudge) return;
      const auto error = hn::PromoteTo(dd, narrow);
      auto weighted = error;
      if constexpr (kWeighted) weighted = hn::Mul(error, hn::Set(dd, double{weights[r]}));
      if constexpr (kJudge) {
        loss = hn::Add(loss, hn::Mul(hn::IfThenElseZero(judges, weighted), error));
      }
      if constexpr (kSum == Sum::kSome) weighted = hn::IfThenElseZero(trains, weighted);
      if constexpr (kSum != Sum::kNone) {
        double* cell = sums + kBagLanes * (kSumCopies * codes[r] + copy);
        hn::StoreU(hn::Add(hn::LoadU(dd, cell), weighted), dd, cell);
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
    hn::StoreU(loss, dd, losses + lane);
  }
}

template <bool kJudge, bool kWeighted, typename Code>
void choose_sum(const LanePass<Code>& pass, const LaneSegment& segment, double* losses) {
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
void pass_all(const LanePass<Code>& pass, double* losses) {
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

void pass_narrow(const LanePass<std::uint8_t>& pass, double* losses) { pass_all(pass, losses); }
void pass_wide(const LanePass<std::uint16_t>& pass, double* losses) { pass_all(pass, losses); }

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(pass_narrow);
HWY_EXPORT(pass_wide);

}  // namespace

std::array<double, kBagLanes> pass_lanes(const LanePass<std::uint8_t>& pass) {
  std::array<double, kBagLanes> losses{};
  HWY_DYNAMIC_DISPATCH(pass_narrow)(pass, losses.data());
  return losses;
}

std::array<double, kBagLanes> pass_lanes(const LanePass<std::uint16_t>& pass) {
  std::array<double, kBagLanes> losses{};
  HWY_DYNAMIC_DISPATCH(pass_wide)(pass, losses.data());
  return losses;
}

}  // namespace glassrank
#endif
