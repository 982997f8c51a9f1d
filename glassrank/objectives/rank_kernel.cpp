#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/objectives/rank_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>
#include <bit>
#include <cstddef>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

#include "glassrank/objectives/rank_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using CodeTag = hn::ScalableTag<std::int16_t>;

using KeyTag = hn::ScalableTag<float>;

struct KeyRange {
  float lowest;
  float highest;
};

KeyRange key_range(std::span<const float> keys) {
  const KeyTag d;
  auto lowest = hn::Set(d, keys[0]);
  auto highest = lowest;
  for (std::size_t at = 0; at < keys.size(); at += hn::Lanes(d)) {
    const auto mask = hn::FirstN(d, keys.size() - at);
    const auto key = hn::IfThenElse(mask, hn::MaskedLoad(mask, d, keys.data() + at), lowest);
    lowest = hn::Min(lowest, key);
    highest = hn::Max(highest, key);
  }
  return {hn::GetLane(hn::MinOfLanes(d, lowest)), hn::GetLane(hn::MaxOfLanes(d, highest))};
}

// One less is still a code.
constexpr std::int16_t kLowestCode = -32767;

// Codes ascend with the keys, from the lowest to 32767.
void encode(std::span<const float> keys, std::int16_t* codes) {
  const KeyTag d;
  const hn::Rebind<std::int16_t, KeyTag> halves;
  const auto [lowest, highest] = key_range(keys);
  const auto scale = hn::Set(d, highest > lowest ? 65534.0F / (highest - lowest) : 0.0F);
  const auto middle = hn::Set(d, 0.5F * lowest + 0.5F * highest);
  for (std::size_t at = 0; at < keys.size(); at += hn::Lanes(d)) {
    const auto key = hn::MaskedLoad(hn::FirstN(d, keys.size() - at), d, keys.data() + at);
    const auto place = hn::NearestInt(hn::Mul(hn::Sub(key, middle), scale));
    const auto code = hn::Max(hn::DemoteTo(halves, place), hn::Set(halves, kLowestCode));
    hn::StoreU(code, halves, codes + at);
  }
}

// ranks[i] = codes above codes[i], and equal ones before it.
void count_ranks(const std::int16_t* codes, std::size_t count, std::int16_t* ranks) {
  const CodeTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1);
  for (std::size_t block = 0; block < count; block += lanes) {
    const auto own = hn::LoadU(d, codes + block);
    auto rank = hn::Zero(d);
    std::size_t j = 0;
    const auto one_less = hn::Sub(own, one);
    for (; j < block; ++j) {
      rank = hn::IfThenElse(hn::Gt(hn::Set(d, codes[j]), one_less), hn::Add(rank, one), rank);
    }
    for (; j < std::min(block + lanes, count); ++j) {
      const auto other = hn::Set(d, codes[j]);
      const auto is_earlier = hn::AndNot(hn::FirstN(d, j - block + 1), hn::Eq(other, own));
      rank = hn::IfThenElse(hn::Or(hn::Gt(other, own), is_earlier), hn::Add(rank, one), rank);
    }
    for (; j < count; ++j) {
      rank = hn::IfThenElse(hn::Gt(hn::Set(d, codes[j]), own), hn::Add(rank, one), rank);
    }
    hn::StoreU(rank, d, ranks + block);
  }
}

void rank_short(std::span<const float> keys, std::uint32_t* order) {
  std::int16_t codes[kShortList + kCodePadding];
  std::int16_t ranks[kShortList + kCodePadding];
  encode(keys, codes);
  count_ranks(codes, keys.size(), ranks);
  for (std::uint32_t i = 0; i < keys.size(); ++i) order[ranks[i]] = i;
  for (std::size_t r = 1; r < keys.size(); ++r) {
    const std::uint32_t moved = order[r];
    std::size_t place = r;
    for (; place > 0 && keys[moved] > keys[order[place - 1]]; --place) {
      order[place] = order[place - 1];
    }
    order[place] = moved;
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(rank_short);

// Ascending order of the result is descending order of the keys, then input order.
std::uint64_t sort_key(float key, std::size_t index) {
  const auto bits = std::bit_cast<std::uint32_t>(key + 0.0F);  // -0 becomes +0
  const std::uint32_t ascending = bits ^ ((0U - (bits >> 31)) | 0x80000000U);
  return (std::uint64_t{~ascending} << 32) | index;
}

}  // namespace

void rank_descending(std::span<const float> keys, std::uint64_t* scratch, std::uint32_t* order) {
  const std::size_t count = keys.size();
  if (count <= kShortList) {
    HWY_DYNAMIC_DISPATCH(rank_short)(keys, order);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) scratch[i] = sort_key(keys[i], i);
  hwy::Sorter()(scratch, count, hwy::SortAscending());
  for (std::size_t r = 0; r < count; ++r) order[r] = static_cast<std::uint32_t>(scratch[r]);
}

}  // namespace glassrank
#endif
