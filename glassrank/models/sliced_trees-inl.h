// Steps 4 and 5 of sliced_scorer.h: from condition masks to sums of leaf values.
// Included once per instruction set by sliced_scorer.cpp.

#if defined(GLASSRANK_MODELS_SLICED_TREES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_MODELS_SLICED_TREES_INL_H_
#undef GLASSRANK_MODELS_SLICED_TREES_INL_H_
#else
#define GLASSRANK_MODELS_SLICED_TREES_INL_H_
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "glassrank/models/sliced_scorer.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMaxPlanes = 12;
static_assert(ScoringPlan::kMaxSlicedLeaves <= std::size_t{1} << kMaxPlanes);

template <std::size_t kWidth>
using MaskTag = hn::CappedTag<std::uint64_t, kWidth / 64>;

// Runs the steps of two trees; the second one's slots follow the first one's.
template <std::size_t kWidth>
HWY_INLINE void run_steps(const ScoringPlan& plan, const TreePair& pair,
                          const std::uint64_t* HWY_RESTRICT conditions,
                          std::uint64_t* HWY_RESTRICT slots) {
  const MaskTag<kWidth> d;
  constexpr std::size_t kWords = kWidth / 64;
  const std::uint16_t* HWY_RESTRICT sources = plan.sources.data() + pair.first_step;
  const std::uint32_t* HWY_RESTRICT numbers = plan.conditions.data() + pair.first_step;
  const std::size_t num_steps = pair.num_steps;
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    std::uint64_t* const first = slots + word;
    std::uint64_t* const second = first + pair.num_slots * kWords;
    const std::uint64_t* const masks = conditions + word;
    const auto step = [&](std::uint64_t* tree, std::size_t source, std::size_t number,
                          std::size_t i) HWY_ATTR {
      const auto active = hn::Load(d, tree + source * kWords);
      const auto right = hn::And(active, hn::Load(d, masks + number * kWords));
      hn::Store(right, d, tree + (i + 1) * kWords);
      hn::Store(hn::Xor(active, right), d, tree + source * kWords);
    };
    hn::Store(hn::Set(d, ~std::uint64_t{0}), d, first);
    hn::Store(hn::Set(d, ~std::uint64_t{0}), d, second);
    for (std::size_t i = 0; i < num_steps; ++i) {
      step(first, sources[i], numbers[i], i);
      step(second, sources[num_steps + i], numbers[num_steps + i], i);
    }
    for (std::size_t i = num_steps + 1; i < pair.num_slots; ++i) {
      hn::Store(hn::Zero(d), d, first + i * kWords);
      hn::Store(hn::Zero(d), d, second + i * kWords);
    }
  }
}

// The bits of the slot number of every row, for kGroups * 8 slots of which each row is in at most
// one: plane b is the union of the slots with bit b set.
template <class D>
struct SlotPlanes {
  hn::Vec<D> plane[6];
  hn::Vec<D> any;  // rows in any slot
};

template <std::size_t kGroups, class D>
HWY_INLINE void add_slots(D d, const std::uint64_t* slots, std::size_t stride, SlotPlanes<D>& out) {
  HWY_UNROLL(8)
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint64_t* const at = slots + group * 8 * stride;
    const auto s0 = hn::Load(d, at);
    const auto s1 = hn::Load(d, at + stride);
    const auto s2 = hn::Load(d, at + 2 * stride);
    const auto s3 = hn::Load(d, at + 3 * stride);
    const auto s4 = hn::Load(d, at + 4 * stride);
    const auto s5 = hn::Load(d, at + 5 * stride);
    const auto s6 = hn::Load(d, at + 6 * stride);
    const auto s7 = hn::Load(d, at + 7 * stride);
    const auto s23 = hn::Or(s2, s3);
    const auto s67 = hn::Or(s6, s7);
    const auto s4567 = hn::Or3(s4, s5, s67);
    out.plane[0] = hn::Or3(hn::Or3(out.plane[0], s1, s3), s5, s7);
    out.plane[1] = hn::Or3(out.plane[1], s23, s67);
    out.plane[2] = hn::Or(out.plane[2], s4567);
    const auto all = hn::Or3(hn::Or(s0, s1), s23, s4567);
    if (group & 1) out.plane[3] = hn::Or(out.plane[3], all);
    if (group & 2) out.plane[4] = hn::Or(out.plane[4], all);
    if (group & 4) out.plane[5] = hn::Or(out.plane[5], all);
    out.any = hn::Or(out.any, all);
  }
}

// Slot numbers as planes: plane b of row r is bit r of planes[b]. Returns how many planes.
template <std::size_t kWidth>
HWY_INLINE std::size_t number_slots(const std::uint64_t* slots, std::size_t num_slots,
                                    std::uint64_t* planes) {
  const MaskTag<kWidth> d;
  constexpr std::size_t kWords = kWidth / 64;
  const auto num_planes = static_cast<std::size_t>(std::bit_width(num_slots - 1));
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    SlotPlanes<MaskTag<kWidth>> low;
    for (auto& plane : low.plane) plane = hn::Zero(d);
    low.any = hn::Zero(d);
    for (std::size_t b = 6; b < num_planes; ++b)
      hn::Store(hn::Zero(d), d, planes + b * kWords + word);
    if (num_slots == 8) {
      add_slots<1>(d, slots + word, kWords, low);
    } else if (num_slots == 16) {
      add_slots<2>(d, slots + word, kWords, low);
    } else if (num_slots == 32) {
      add_slots<4>(d, slots + word, kWords, low);
    } else {
      for (std::size_t first = 0; first < num_slots; first += 64) {
        low.any = hn::Zero(d);
        add_slots<8>(d, slots + first * kWords + word, kWords, low);
        for (std::size_t b = 6; b < num_planes; ++b) {
          if ((first >> b & 1) == 0) continue;
          std::uint64_t* const plane = planes + b * kWords + word;
          hn::Store(hn::Or(low.any, hn::Load(d, plane)), d, plane);
        }
      }
    }
    for (std::size_t b = 0; b < 6; ++b) hn::Store(low.plane[b], d, planes + b * kWords + word);
  }
  return num_planes;
}

// Bits `first_plane` .. `first_plane` + 7 of the slot numbers of Lanes(d) rows from row r on.
template <std::size_t kWidth, class D8>
HWY_INLINE hn::Vec<D8> slot_bytes(D8 d, const std::uint64_t* planes, std::size_t num_planes,
                                  std::size_t r) {
  const auto* const bits = reinterpret_cast<const std::uint8_t*>(planes) + r / 8;
  auto number = hn::Zero(d);
  for (std::size_t b = 0; b < num_planes; ++b) {
    const auto mask = hn::LoadMaskBits(d, bits + b * (kWidth / 8));
    const auto with = hn::Add(number, hn::Set(d, static_cast<std::uint8_t>(1U << b)));
    number = hn::IfThenElse(mask, with, number);
  }
  return number;
}

// sums[r] += the value of row r's slot, by plain loads.
template <std::size_t kWidth>
HWY_ATTR void add_by_loads(const double* leaf_values, const std::uint64_t* planes,
                           std::size_t num_planes, double* sums) {
  const hn::CappedTag<std::uint8_t, 64> d;
  alignas(64) std::uint8_t low[64];
  alignas(64) std::uint8_t high[64] = {};
  constexpr std::size_t kBytePlane = 8 * (kWidth / 64);
  for (std::size_t r = 0; r < kWidth; r += hn::Lanes(d)) {
    hn::Store(slot_bytes<kWidth>(d, planes, std::min<std::size_t>(num_planes, 8), r), d, low);
    if (num_planes <= 8) {
      for (std::size_t i = 0; i < hn::Lanes(d); ++i) sums[r + i] += leaf_values[low[i]];
      continue;
    }
    hn::Store(slot_bytes<kWidth>(d, planes + kBytePlane, num_planes - 8, r), d, high);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      sums[r + i] += leaf_values[low[i] | std::size_t{high[i]} << 8];
    }
  }
}

#if HWY_TARGET == HWY_AVX3_DL

// The 64 table bytes, or 128 or 256, that the bytes of `number` name.
template <std::size_t kSlots>
HWY_INLINE __m512i permute_bytes(const std::uint8_t* table, __m512i number) {
  const auto part = [&](std::size_t i) HWY_ATTR { return _mm512_loadu_si512(table + 64 * i); };
  if constexpr (kSlots == 64) {
    return _mm512_permutexvar_epi8(number, part(0));
  } else if constexpr (kSlots == 128) {
    return _mm512_permutex2var_epi8(part(0), number, part(1));
  } else {
    const __mmask64 upper = _mm512_movepi8_mask(number);
    return _mm512_mask_blend_epi8(upper, _mm512_permutex2var_epi8(part(0), number, part(1)),
                                  _mm512_permutex2var_epi8(part(2), number, part(3)));
  }
}

// sums[r] += the value of row r's slot, by byte permutes: 64 rows of one byte of the values at a
// time, interleaved to doubles afterwards.
template <std::size_t kWidth, std::size_t kSlots>
HWY_ATTR void add_by_permutes(const std::uint8_t* leaf_bytes, std::size_t num_slots,
                              const std::uint64_t* planes, std::size_t num_planes, double* sums) {
  const hn::CappedTag<std::uint8_t, 64> d8;
  const hn::Repartition<std::uint16_t, decltype(d8)> d16;
  const hn::Repartition<std::uint32_t, decltype(d8)> d32;
  const hn::Repartition<double, decltype(d8)> d64;
  // Interleaving works within 16 bytes; with rows in this order the doubles come out in order.
  alignas(64) static constexpr std::array<std::uint8_t, 64> kOrder = [] {
    std::array<std::uint8_t, 64> order{};
    for (std::size_t i = 0; i < 64; ++i) {
      order[i] = static_cast<std::uint8_t>(i % 16 / 2 * 8 + i / 16 * 2 + i % 2);
    }
    return order;
  }();
  const auto order = hn::Load(d8, kOrder.data());
  for (std::size_t r = 0; r < kWidth; r += 64) {
    const auto numbers = slot_bytes<kWidth>(d8, planes, num_planes, r);
    const __m512i ordered = _mm512_permutexvar_epi8(order.raw, numbers.raw);
    decltype(hn::Zero(d16)) low[4];  // bytes 2 k and 2 k + 1 of the first and the last 8 of 16 rows
    decltype(hn::Zero(d16)) high[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const hn::Vec<decltype(d8)> a{permute_bytes<kSlots>(leaf_bytes + 2 * k * num_slots, ordered)};
      const hn::Vec<decltype(d8)> b{
          permute_bytes<kSlots>(leaf_bytes + (2 * k + 1) * num_slots, ordered)};
      low[k] = hn::BitCast(d16, hn::InterleaveLower(d8, a, b));
      high[k] = hn::BitCast(d16, hn::InterleaveUpper(d8, a, b));
    }
    const auto add = [&](auto lower, auto upper, std::size_t at) HWY_ATTR {
      const auto first = hn::BitCast(d64, hn::InterleaveLower(d32, lower, upper));
      const auto second = hn::BitCast(d64, hn::InterleaveUpper(d32, lower, upper));
      double* const to = sums + r + at;
      hn::Store(hn::Add(hn::Load(d64, to), first), d64, to);
      hn::Store(hn::Add(hn::Load(d64, to + 8), second), d64, to + 8);
    };
    const auto quarter = [&](auto& part, std::size_t at) HWY_ATTR {
      add(hn::BitCast(d32, hn::InterleaveLower(d16, part[0], part[1])),
          hn::BitCast(d32, hn::InterleaveLower(d16, part[2], part[3])), at);
      add(hn::BitCast(d32, hn::InterleaveUpper(d16, part[0], part[1])),
          hn::BitCast(d32, hn::InterleaveUpper(d16, part[2], part[3])), at + 16);
    };
    quarter(low, 0);
    quarter(high, 32);
  }
}

#endif

// Adds the leaf values of one tree whose slots are `slots`; `which` of the pair it is.
template <std::size_t kWidth>
HWY_INLINE void add_tree(const ScoringPlan& plan, const TreePair& pair, std::size_t which,
                         const std::uint64_t* slots, double* sums) {
  alignas(64) std::uint64_t planes[kMaxPlanes * (kWidth / 64)];
  const std::size_t num_slots = pair.num_slots;
  const std::size_t num_planes =
      number_slots<kWidth>(slots + which * num_slots * (kWidth / 64), num_slots, planes);
#if HWY_TARGET == HWY_AVX3_DL
  const std::uint8_t* const bytes =
      plan.leaf_bytes.data() + pair.leaf_bytes + which * num_slots * sizeof(double);
  if (num_slots == 64) return add_by_permutes<kWidth, 64>(bytes, 64, planes, 6, sums);
  if (num_slots < 64) {
    return add_by_permutes<kWidth, 64>(bytes, num_slots, planes, num_planes, sums);
  }
  if (num_slots == 128) return add_by_permutes<kWidth, 128>(bytes, 128, planes, 7, sums);
  if (num_slots <= ScoringPlan::kMaxByteSlots) {
    return add_by_permutes<kWidth, 256>(bytes, num_slots, planes, 8, sums);
  }
#endif
  add_by_loads<kWidth>(plan.leaf_values.data() + pair.leaf_values + which * num_slots, planes,
                       num_planes, sums);
}

// Steps 4 and 5.
template <std::size_t kWidth>
HWY_ATTR void add_trees(const ScoringPlan& plan, SlicedWorkspace& workspace) {
  double* const sums = workspace.sums.data();
  std::uint64_t* const slots = workspace.slots.data();
  const std::uint64_t* const conditions = workspace.conditions.data();
  std::fill_n(sums, kWidth, plan.base_score);
  for (std::size_t t = 0; t < plan.num_trees; t += 2) {
    const TreePair& pair = plan.pairs[t / 2];
    run_steps<kWidth>(plan, pair, conditions, slots);
    add_tree<kWidth>(plan, pair, 0, slots, sums);
    if (t + 1 < plan.num_trees) add_tree<kWidth>(plan, pair, 1, slots, sums);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
