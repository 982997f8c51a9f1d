// Leaf values of up to seven sets of masks that do not meet, fetched instead of added one by one:
// each mask gets the number of its set as a byte, and a permute of eight values fetches what is to
// be added. A masked addition per set and eight masks becomes a masked move per set and 64 masks.
// Included once per instruction set by mask_lanes.cpp; only for vectors of eight sums.

#if defined(GLASSRANK_EXPLAIN_LEAF_LOOKUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_EXPLAIN_LEAF_LOOKUP_INL_H_
#undef GLASSRANK_EXPLAIN_LEAF_LOOKUP_INL_H_
#else
#define GLASSRANK_EXPLAIN_LEAF_LOOKUP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <hwy/highway.h>

#include "glassrank/explain/masks/mask_lanes.h"
#include "glassrank/explain/masks/masked_add-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

constexpr bool kLooksUp = true;

HWY_INLINE hn::Vec<SumTag> fetch(hn::Vec<SumTag> table,
                                 hn::Vec<hn::CappedTag<std::uint32_t, 8>> of) {
  const SumTag d;
  return hn::TableLookupLanes(table, hn::IndicesFromVec(d, hn::PromoteTo(d, of)));
}

// Adds what the waiting look-ups say, all at once: a sum is read and written once for them.
HWY_INLINE void look_up(LaneWorkspace& workspace, std::size_t num_words, Fixed* HWY_RESTRICT sums) {
  const SumTag d;
  const hn::CappedTag<std::uint8_t, 16> d8;
  const hn::CappedTag<std::uint32_t, 16> d32;
  const hn::Half<decltype(d32)> d32_half;
  // Those that are not there fetch zeros.
  for (std::size_t j = workspace.num_lookups; j < LaneWorkspace::kLookups; ++j) {
    std::fill_n(workspace.tables.data() + j * 8, 8, Fixed{0});
  }
  workspace.num_lookups = 0;
  const auto table0 = hn::Load(d, workspace.tables.data());
  const auto table1 = hn::Load(d, workspace.tables.data() + 8);
  const auto table2 = hn::Load(d, workspace.tables.data() + 16);
  const auto table3 = hn::Load(d, workspace.tables.data() + 24);
  const std::size_t num_masks = num_words * 64;
  const std::uint8_t* const numbers = workspace.numbers.data();
  for (std::size_t m = 0; m < num_masks; m += 16) {
    const auto of0 = hn::PromoteTo(d32, hn::Load(d8, numbers + m));
    const auto of1 = hn::PromoteTo(d32, hn::Load(d8, numbers + num_masks + m));
    const auto of2 = hn::PromoteTo(d32, hn::Load(d8, numbers + 2 * num_masks + m));
    const auto of3 = hn::PromoteTo(d32, hn::Load(d8, numbers + 3 * num_masks + m));
    const auto low = hn::Add(hn::Add(fetch(table0, hn::LowerHalf(d32_half, of0)),
                                     fetch(table1, hn::LowerHalf(d32_half, of1))),
                             hn::Add(fetch(table2, hn::LowerHalf(d32_half, of2)),
                                     fetch(table3, hn::LowerHalf(d32_half, of3))));
    const auto high = hn::Add(hn::Add(fetch(table0, hn::UpperHalf(d32_half, of0)),
                                      fetch(table1, hn::UpperHalf(d32_half, of1))),
                              hn::Add(fetch(table2, hn::UpperHalf(d32_half, of2)),
                                      fetch(table3, hn::UpperHalf(d32_half, of3))));
    hn::Store(hn::Add(hn::Load(d, sums + m), low), d, sums + m);
    hn::Store(hn::Add(hn::Load(d, sums + m + 8), high), d, sums + m + 8);
  }
}

// Puts up to seven terms whose masks do not meet among the waiting look-ups.
HWY_INLINE void queue_lookup(std::span<const MaskedTerm> terms, std::size_t num_words,
                             LaneWorkspace& workspace, Fixed* sums) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t slot = workspace.num_lookups++;
  Fixed* const table = workspace.tables.data() + slot * 8;
  std::fill_n(table, 8, Fixed{0});
  for (std::size_t i = 0; i < terms.size(); ++i) table[i + 1] = terms[i].value;
  std::uint8_t* const numbers = workspace.numbers.data() + slot * num_words * 64;
  for (std::size_t w = 0; w < num_words; ++w) {
    auto number = hn::Zero(d);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto* const bits = reinterpret_cast<const std::uint8_t*>(terms[i].where + w);
      const auto next = hn::Set(d, static_cast<std::uint8_t>(i + 1));
      number = hn::IfThenElse(hn::LoadMaskBits(d, bits), next, number);
    }
    hn::Store(number, d, numbers + w * 64);
  }
  if (workspace.num_lookups == LaneWorkspace::kLookups) look_up(workspace, num_words, sums);
}

#else

constexpr bool kLooksUp = false;

HWY_INLINE void look_up(LaneWorkspace&, std::size_t, Fixed*) {}
HWY_INLINE void queue_lookup(std::span<const MaskedTerm>, std::size_t, LaneWorkspace&, Fixed*) {}

#endif

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GLASSRANK_EXPLAIN_LEAF_LOOKUP_INL_H_
