#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/histogram/scan_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/histogram/scan_kernel.h"
#include "glassrank/boosting/tree/joint_score-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using IntTag = hn::CappedTag<std::int32_t, kLanes>;
using FloatTag = hn::RebindToFloat<IntTag>;
using IntVector = hn::Vec<IntTag>;
using FloatVector = hn::Vec<FloatTag>;

template <bool kL1>
HWY_INLINE FloatVector squared(IntVector gradient, FloatVector l1) {
  const FloatTag df;
  auto g = hn::ConvertTo(df, gradient);
  if constexpr (kL1) g = hn::Max(hn::Sub(hn::Abs(g), l1), hn::Zero(df));
  return hn::Mul(g, g);
}

template <bool kL1, bool kPacked, bool kRanged>
void scan_lanes(const ScanInput& in, std::size_t lane, std::int32_t last, ScanOutput& out) {
  const IntTag di;
  const FloatTag df;
  const auto num_splits = hn::Load(di, in.num_splits.data() + lane);
  const auto first_split = hn::Load(di, in.first_split.data() + lane);
  const auto total_g = hn::Set(di, in.total_gradient);
  const auto total_h = hn::Set(di, in.total_hessian);
  const auto min_h = hn::Set(di, in.min_hessian);
  const auto l1 = hn::Set(df, in.l1);
  const auto l2 = hn::Set(df, in.l2);
  auto left_g = hn::Load(di, in.start_gradient.data() + lane);
  auto left_h = hn::Load(di, in.start_hessian.data() + lane);
  auto best = hn::Set(df, -1.0F);
  auto best_code = hn::Zero(di);
  for (std::int32_t code = 0; code < last; ++code) {
    const std::size_t at = static_cast<std::size_t>(code) * kLanes + lane;
    const auto gradient = hn::Load(di, in.planes.gradient + at);
    if constexpr (kPacked) {
      left_g = hn::Add(left_g, hn::ShiftRight<16>(gradient));
      left_h = hn::Add(left_h, hn::And(gradient, hn::Set(di, 0xffff)));
    } else {
      left_g = hn::Add(left_g, gradient);
      left_h = hn::Add(left_h, hn::Load(di, in.planes.hessian + at));
    }
    const auto right_g = hn::Sub(total_g, left_g);
    const auto right_h = hn::Sub(total_h, left_h);
    const auto weight_l = hn::Add(hn::ConvertTo(df, left_h), l2);
    const auto weight_r = hn::Add(hn::ConvertTo(df, right_h), l2);
    const auto score =
        joint_score(squared<kL1>(left_g, l1), weight_l, squared<kL1>(right_g, l1), weight_r);
    const auto code_vector = hn::Set(di, code);
    auto passed = hn::Lt(hn::Min(left_h, right_h), min_h);
    if constexpr (kRanged) passed = hn::Or(passed, hn::Lt(code_vector, first_split));
    const auto valid = hn::AndNot(passed, hn::Lt(code_vector, num_splits));
    const auto better = hn::And(hn::RebindMask(df, valid), hn::Gt(score, best));
    best = hn::IfThenElse(better, score, best);
    best_code = hn::IfThenElse(hn::RebindMask(di, better), code_vector, best_code);
  }
  hn::Store(best, df, out.score.data() + lane);
  hn::Store(best_code, di, out.code.data() + lane);
}

template <bool kRanged>
HWY_INLINE void scan_lanes_of(const ScanInput& input, std::size_t lane, std::int32_t last,
                              ScanOutput& output) {
  const bool packed = input.planes.hessian == nullptr;
  const auto scan =
      input.l1 > 0
          ? (packed ? scan_lanes<true, true, kRanged> : scan_lanes<true, false, kRanged>)
          : (packed ? scan_lanes<false, true, kRanged> : scan_lanes<false, false, kRanged>);
  scan(input, lane, last, output);
}

void scan_group(const ScanInput& input, ScanOutput& output) {
  const IntTag di;
  std::int32_t last = 0;
  for (const std::int32_t n : input.num_splits) last = n > last ? n : last;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(di)) {
    input.is_ranged ? scan_lanes_of<true>(input, lane, last, output)
                    : scan_lanes_of<false>(input, lane, last, output);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>

#include "glassrank/boosting/histogram/quantise.h"
#include "glassrank/boosting/tree/split.h"

namespace glassrank {
namespace {

HWY_EXPORT(scan_group);

float squared_plain(std::int32_t gradient, float l1) {
  const float g = std::max(std::abs(static_cast<float>(gradient)) - l1, 0.0F);
  return g * g;
}

}  // namespace

void scan_group(const ScanInput& input, ScanOutput& output) {
  HWY_DYNAMIC_DISPATCH(scan_group)(input, output);
}

void scan_group_plain(const ScanInput& in, ScanOutput& out) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::int32_t left_g = in.start_gradient[lane];
    std::int32_t left_h = in.start_hessian[lane];
    out.score[lane] = -1;
    out.code[lane] = 0;
    for (std::int32_t code = 0; code < in.num_splits[lane]; ++code) {
      const std::size_t at = static_cast<std::size_t>(code) * kLanes + lane;
      const std::int32_t g = in.planes.gradient[at];
      const bool packed = in.planes.hessian == nullptr;
      left_g += packed ? packed_gradient(g) : g;
      left_h += packed ? packed_hessian(g) : in.planes.hessian[at];
      const std::int32_t right_h = in.total_hessian - left_h;
      if (in.is_ranged && code < in.first_split[lane]) continue;
      if (std::min(left_h, right_h) < in.min_hessian) continue;
      const float weight_l = static_cast<float>(left_h) + in.l2;
      const float weight_r = static_cast<float>(right_h) + in.l2;
      const float score = joint_score(squared_plain(left_g, in.l1), weight_l,
                                      squared_plain(in.total_gradient - left_g, in.l1), weight_r);
      if (!(score > out.score[lane])) continue;
      out.score[lane] = score;
      out.code[lane] = code;
    }
  }
}

}  // namespace glassrank
#endif
