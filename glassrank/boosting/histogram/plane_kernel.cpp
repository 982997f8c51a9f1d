#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/histogram/plane_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>

#include <hwy/highway.h>

#include "glassrank/boosting/histogram/plane_kernel.h"
#include "glassrank/boosting/histogram/row_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using IntTag = hn::CappedTag<std::int32_t, 16>;

using IntVector = hn::Vec<IntTag>;

template <Flush kMode>
HWY_INLINE void flush_vector(IntVector packed, std::size_t at, Planes planes) {
  const IntTag d;
  if constexpr (kMode == Flush::kPacked) {
    hn::Store(packed, d, planes.gradient + at);
  } else {
    auto g = hn::ShiftRight<16>(packed);
    auto h = hn::And(packed, hn::Set(d, 0xffff));
    if constexpr (kMode == Flush::kAdd) {
      g = hn::Add(g, hn::Load(d, planes.gradient + at));
      h = hn::Add(h, hn::Load(d, planes.hessian + at));
    }
    hn::Store(g, d, planes.gradient + at);
    hn::Store(h, d, planes.hessian + at);
  }
}

#if HWY_TARGET == HWY_SCALAR
template <Flush kMode>
std::size_t flush_fours(const FieldTable&, std::size_t, Planes) {
  return 0;
}
#else
// Four codes of every fourth field: 128-bit block b holds those of field 4 * b.
template <typename D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const std::int32_t* values, std::size_t stride) {
  constexpr std::size_t kSize = hn::MaxLanes(D());
  if constexpr (kSize == 4) {
    return hn::LoadU(d, values);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, values + kSize / 2 * stride, stride),
                       load_blocks(half, values, stride));
  }
}

// Four codes at a time, turned from field after field to code after code within registers. Returns
// the first code not done.
template <Flush kMode>
std::size_t flush_fours(const FieldTable& table, std::size_t lane, Planes planes) {
  const IntTag d;
  const hn::RepartitionToWide<IntTag> wide;
  const std::size_t stride = table.stride;
  const auto used = hn::FirstN(d, table.num_fields > lane ? table.num_fields - lane : 0);
  std::size_t code = 0;
  for (; code + 4 <= table.num_codes; code += 4) {
    const std::int32_t* values = table.values + lane * stride + code;
    const auto a = load_blocks(d, values, stride);
    const auto b = load_blocks(d, values + stride, stride);
    const auto c = load_blocks(d, values + 2 * stride, stride);
    const auto e = load_blocks(d, values + 3 * stride, stride);
    const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(d, a, b));
    const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(d, a, b));
    const auto ce_low = hn::BitCast(wide, hn::InterleaveLower(d, c, e));
    const auto ce_high = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
    const hn::Vec<decltype(wide)> turned[] = {
        hn::InterleaveLower(wide, ab_low, ce_low), hn::InterleaveUpper(wide, ab_low, ce_low),
        hn::InterleaveLower(wide, ab_high, ce_high), hn::InterleaveUpper(wide, ab_high, ce_high)};
    for (std::size_t k = 0; k < 4; ++k) {
      const auto packed = hn::IfThenElseZero(used, hn::BitCast(d, turned[k]));
      flush_vector<kMode>(packed, (code + k) * kLanes + lane, planes);
    }
  }
  return code;
}
#endif

template <Flush kMode>
void flush_fields(const FieldTable& table, Planes planes) {
  const IntTag d;
  const auto fields = hn::Mul(hn::Iota(d, 0), hn::Set(d, static_cast<std::int32_t>(table.stride)));
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto used = hn::FirstN(d, table.num_fields > lane ? table.num_fields - lane : 0);
    for (std::size_t code = flush_fours<kMode>(table, lane, planes); code < table.num_codes;
         ++code) {
      const auto packed = hn::GatherIndex(d, table.values + lane * table.stride + code, fields);
      flush_vector<kMode>(hn::IfThenElseZero(used, packed), code * kLanes + lane, planes);
    }
  }
}

void flush_table(const FieldTable& table, Flush mode, Planes planes) {
  switch (mode) {
    case Flush::kAdd:
      flush_fields<Flush::kAdd>(table, planes);
      break;
    case Flush::kOverwrite:
      flush_fields<Flush::kOverwrite>(table, planes);
      break;
    case Flush::kPacked:
      flush_fields<Flush::kPacked>(table, planes);
      break;
  }
  for (std::size_t field = 0; field < table.num_fields; ++field) {
    std::fill_n(table.values + field * table.stride, table.num_codes, 0);
  }
}

void add_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  const IntTag d;
  for (std::size_t at = 0; at < size; at += hn::Lanes(d)) {
    hn::Store(hn::Add(hn::Load(d, a + at), hn::Load(d, b + at)), d, a + at);
  }
}

// One vector of both planes.
struct Sums {
  IntVector gradient;
  IntVector hessian;
};

template <bool kPacked>
HWY_INLINE Sums load_sums(ConstPlanes planes, std::size_t at) {
  const IntTag d;
  const auto g = hn::Load(d, planes.gradient + at);
  if constexpr (kPacked) return {hn::ShiftRight<16>(g), hn::And(g, hn::Set(d, 0xffff))};
  return {g, hn::Load(d, planes.hessian + at)};
}

template <bool kPackedA, bool kPackedB, bool kPack>
void subtract(Planes a, ConstPlanes b, std::size_t size) {
  const IntTag d;
  for (std::size_t at = 0; at < size; at += hn::Lanes(d)) {
    if constexpr (kPackedA && kPackedB) {
      const auto difference = hn::Sub(hn::Load(d, a.gradient + at), hn::Load(d, b.gradient + at));
      hn::Store(difference, d, a.gradient + at);
    } else {
      const Sums x = load_sums<kPackedA>({a.gradient, a.hessian}, at);
      const Sums y = load_sums<kPackedB>(b, at);
      const auto g = hn::Sub(x.gradient, y.gradient);
      const auto h = hn::Sub(x.hessian, y.hessian);
      if constexpr (kPack) {
        hn::Store(hn::Add(hn::ShiftLeft<16>(g), h), d, a.gradient + at);
      } else {
        hn::Store(g, d, a.gradient + at);
        hn::Store(h, d, a.hessian + at);
      }
    }
  }
}

void subtract_planes(Planes a, ConstPlanes b, bool pack, std::size_t size) {
  const bool packed_b = b.hessian == nullptr;
  if (a.hessian == nullptr) {
    return packed_b ? subtract<true, true, true>(a, b, size)
                    : subtract<true, false, true>(a, b, size);
  }
  if (packed_b) {
    return pack ? subtract<false, true, true>(a, b, size)
                : subtract<false, true, false>(a, b, size);
  }
  return pack ? subtract<false, false, true>(a, b, size)
              : subtract<false, false, false>(a, b, size);
}

void add_marginals(const std::int32_t* pairs, std::size_t size, std::int32_t* first,
                   std::size_t first_size, std::int32_t* second) {
  const IntTag d;
  constexpr std::size_t kRow = kPairCodes * kLanes;
  for (std::size_t c2 = 0; c2 * kRow < size; ++c2) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      auto sum = hn::Load(d, second + c2 * kLanes + lane);
      for (std::size_t at = lane; at < first_size; at += kLanes) {
        const auto value = hn::Load(d, pairs + c2 * kRow + at);
        sum = hn::Add(sum, value);
        hn::Store(hn::Add(hn::Load(d, first + at), value), d, first + at);
      }
      hn::Store(sum, d, second + c2 * kLanes + lane);
    }
  }
}

void complete_lanes(std::int32_t* values, std::size_t num_codes, std::int32_t total,
                    const std::uint8_t* open) {
  const IntTag d;
  alignas(64) std::int32_t lacking[kLanes];
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto sum = hn::Set(d, total);
    for (std::size_t code = 0; code < num_codes; ++code) {
      sum = hn::Sub(sum, hn::Load(d, values + code * kLanes + lane));
    }
    hn::Store(sum, d, lacking + lane);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    values[open[lane] * kLanes + lane] += lacking[lane];
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(flush_table);
HWY_EXPORT(add_planes);
HWY_EXPORT(subtract_planes);
HWY_EXPORT(add_marginals);
HWY_EXPORT(complete_lanes);

}  // namespace

void flush_table(const FieldTable& table, Flush mode, Planes planes) {
  HWY_DYNAMIC_DISPATCH(flush_table)(table, mode, planes);
}

void add_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(add_planes)(a, b, size);
}

void subtract_planes(Planes a, ConstPlanes b, bool pack, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(subtract_planes)(a, b, pack, size);
}

void add_marginals(const std::int32_t* pairs, std::size_t size, std::int32_t* first,
                   std::size_t first_size, std::int32_t* second) {
  HWY_DYNAMIC_DISPATCH(add_marginals)(pairs, size, first, first_size, second);
}

void complete_lanes(std::int32_t* values, std::size_t num_codes, std::int32_t total,
                    const std::uint8_t* open) {
  HWY_DYNAMIC_DISPATCH(complete_lanes)(values, num_codes, total, open);
}

}  // namespace glassrank
#endif
