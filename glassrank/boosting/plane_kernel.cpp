#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/plane_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>

#include <hwy/highway.h>

#include "glassrank/boosting/plane_kernel.h"
#include "glassrank/boosting/row_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using IntTag = hn::CappedTag<std::int32_t, 16>;

void flush_table(const SlotTable& table, Planes planes) {
  const IntTag d;
  const auto low = hn::Set(d, 0xffff);
  const auto slots = hn::Mul(hn::Iota(d, 0), hn::Set(d, static_cast<std::int32_t>(table.stride)));
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const std::int32_t* values = table.values + lane * table.stride;
    for (std::size_t code = 0; code < table.num_codes; ++code) {
      const std::size_t at = code * kLanes + lane;
      const auto packed = hn::GatherIndex(d, values + code, slots);
      const auto g = hn::Add(hn::Load(d, planes.gradient + at), hn::ShiftRight<16>(packed));
      const auto h = hn::Add(hn::Load(d, planes.hessian + at), hn::And(packed, low));
      hn::Store(g, d, planes.gradient + at);
      hn::Store(h, d, planes.hessian + at);
    }
  }
  for (std::size_t slot = 0; slot < kLanes; ++slot) {
    std::fill_n(table.values + slot * table.stride, table.num_codes, 0);
  }
}

void add_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  const IntTag d;
  for (std::size_t at = 0; at < size; at += hn::Lanes(d)) {
    hn::Store(hn::Add(hn::Load(d, a + at), hn::Load(d, b + at)), d, a + at);
  }
}

void subtract_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  const IntTag d;
  for (std::size_t at = 0; at < size; at += hn::Lanes(d)) {
    hn::Store(hn::Sub(hn::Load(d, a + at), hn::Load(d, b + at)), d, a + at);
  }
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

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(flush_table);
HWY_EXPORT(add_planes);
HWY_EXPORT(subtract_planes);
HWY_EXPORT(add_marginals);

}  // namespace

void flush_table(const SlotTable& table, Planes planes) {
  HWY_DYNAMIC_DISPATCH(flush_table)(table, planes);
}

void add_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(add_planes)(a, b, size);
}

void subtract_planes(std::int32_t* a, const std::int32_t* b, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(subtract_planes)(a, b, size);
}

void add_marginals(const std::int32_t* pairs, std::size_t size, std::int32_t* first,
                   std::size_t first_size, std::int32_t* second) {
  HWY_DYNAMIC_DISPATCH(add_marginals)(pairs, size, first, first_size, second);
}

}  // namespace glassrank
#endif
