// Steps 4 and 5 of sliced_scorer.h: from condition masks to sums of leaf values.
//
// A node is one AND and one XOR of masks: the rows that go right, and those that stay. No row
// branches, and a step costs the same for one row as for 512. Two trees run side by side, because
// the steps of one tree wait for each other. At the end each row is in one slot of the tree. The
// slot's number is found without looking at rows: its octal digits are unions of masks, eight by
// eight. Only then is there work a row: one fetch of a leaf's value.
// Values are added in the order of the trees, in double, so scores do not depend on the width.
//
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

#include "glassrank/models/forest/sliced_scorer.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMaxPlanes = 12;
static_assert(ScoringPlan::kMaxSlicedLeaves <= std::size_t{1} << kMaxPlanes);

template <std::size_t kWidth>
using MaskTag = hn::CappedTag<std::uint64_t, kWidth / 64>;

// Memory that is soon needed. Asked for line by line between steps: many lines at once would be
// waited for, as only a dozen can be on their way.
struct LinesAhead {
  static constexpr std::size_t kLine = 64;
  const char* begin = nullptr;
  std::size_t count = 0;

  // Of `num_parts` about equal parts the one of this number.
  LinesAhead part(std::size_t number, std::size_t num_parts) const {
    const std::size_t first = count * number / num_parts;
    return {begin + first * kLine, count * (number + 1) / num_parts - first};
  }

  HWY_INLINE void fetch(std::size_t line) const {
    // To the second-level cache: the first one is too small to keep it until then.
    if (line < count) __builtin_prefetch(begin + line * kLine, 0, 2);
  }
};

inline LinesAhead lines_ahead(const SlicedBlock& block) {
  const float* const next = block.rows + block.num_rows * block.stride;
  return {reinterpret_cast<const char*>(next),
          block.rows_ahead * block.stride * sizeof(float) / LinesAhead::kLine};
}

// From a number of ScoringPlan::sources or conditions to the words of a wider block.
template <std::size_t kWidth>
constexpr std::size_t kScale = kWidth / 64 / ScoringPlan::kStride;

// Runs the steps of two trees; the second one's places follow the first one's. `conditions` are the
// plan's, of 16 or 32 bits.
template <std::size_t kWidth, typename Number>
HWY_INLINE void run_steps(const ScoringPlan& plan, const Number* HWY_RESTRICT conditions,
                          const TreePair& pair, const LinesAhead& ahead,
                          SlicedWorkspace& workspace) {
  const MaskTag<kWidth> d;
  constexpr std::size_t kWords = kWidth / 64;
  const std::size_t num_steps = pair.num_steps;  // a store could change it, for all gcc knows
  const std::uint16_t* HWY_RESTRICT sources[2];
  const Number* HWY_RESTRICT numbers[2];
  for (std::size_t which = 0; which < 2; ++which) {
    sources[which] = plan.sources.data() + pair.first_source + which * pair.num_sources();
    numbers[which] = conditions + pair.first_condition + which * pair.num_conditions();
  }
  LinesAhead lines = ahead;
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    std::uint64_t* const first = workspace.places.data() + word;
    std::uint64_t* const second = first + pair.num_places() * kWords;
    const std::uint64_t* const masks = workspace.conditions.data() + word;
    const auto step = [&](std::uint64_t* tree, std::size_t source, std::size_t number,
                          std::size_t i) HWY_ATTR {
      std::uint64_t* const from = tree + source * kScale<kWidth>;
      const auto active = hn::Load(d, from);
      const auto right = hn::And(active, hn::Load(d, masks + number * kScale<kWidth>));
      hn::Store(right, d, tree + (i + 1) * kWords);
      hn::Store(hn::Xor(active, right), d, from);
    };
    for (std::uint64_t* const tree : {first, second}) {
      hn::Store(hn::Set(d, ~std::uint64_t{0}), d, tree);
      hn::Store(hn::Zero(d), d, tree + pair.empty_place() * kWords);
    }
    std::size_t i = 0;
    for (const std::size_t end = std::min(num_steps, (lines.count + 1) / 2); i < end; ++i) {
      lines.fetch(2 * i);
      lines.fetch(2 * i + 1);
      step(first, sources[0][i], numbers[0][i], i);
      step(second, sources[1][i], numbers[1][i], i);
    }
    for (; i < num_steps; ++i) {
      step(first, sources[0][i], numbers[0][i], i);
      step(second, sources[1][i], numbers[1][i], i);
    }
    lines.count = 0;  // once is enough
  }
}

// The three bits of one octal digit of every row's slot number.
template <class D>
struct Digit {
  hn::Vec<D> bit[3];

  explicit Digit(D d) {
    for (auto& plane : bit) plane = hn::Zero(d);
  }

  // Rows in mask(i) have digit i, for i < 8; gives the union of the masks.
  template <class Masks>
  HWY_INLINE hn::Vec<D> add_eight(const Masks& mask) {
    const auto m1 = mask(1);
    const auto m3 = mask(3);
    const auto m5 = mask(5);
    const auto m7 = mask(7);
    const auto m23 = hn::Or(mask(2), m3);
    const auto m67 = hn::Or(mask(6), m7);
    const auto m4567 = hn::Or3(mask(4), m5, m67);
    bit[0] = hn::Or3(hn::Or3(bit[0], m1, m3), m5, m7);
    bit[1] = hn::Or3(bit[1], m23, m67);
    bit[2] = hn::Or(bit[2], m4567);
    return hn::Or3(hn::Or(mask(0), m1), m23, m4567);
  }

  // The slots of a bundle (TreePair): rows of its forks and its twig in mask(0), mask(1), mask(2).
  template <class Masks, class Rights>
  HWY_INLINE hn::Vec<D> add_bundle(const Masks& mask, const Rights& right) {
    const auto m0 = mask(0);
    const auto m1 = mask(1);
    const auto m2 = mask(2);
    const auto twig0 = hn::And(m0, right(0));
    const auto twig1 = hn::AndNot(right(2), m1);
    bit[0] = hn::OrAnd(hn::OrAnd(hn::Or(bit[0], m2), twig0, right(1)), twig1, right(3));
    bit[1] = hn::Or3(bit[1], twig0, twig1);
    bit[2] = hn::OrAnd(hn::Or(bit[2], m1), m2, right(4));
    return hn::Or3(m0, m1, m2);
  }

  // Rows in mask(i) have digit 2 i, or 2 i + 1 if they are in right(i) too, for i < 4.
  template <class Masks, class Rights>
  HWY_INLINE hn::Vec<D> add_twigs(const Masks& mask, const Rights& right) {
    const auto m0 = mask(0);
    const auto m1 = mask(1);
    const auto m2 = mask(2);
    const auto m3 = mask(3);
    const auto m23 = hn::Or(m2, m3);
    bit[0] = hn::OrAnd(hn::OrAnd(bit[0], m0, right(0)), m1, right(1));
    bit[0] = hn::OrAnd(hn::OrAnd(bit[0], m2, right(2)), m3, right(3));
    bit[1] = hn::Or3(bit[1], m1, m3);
    bit[2] = hn::Or(bit[2], m23);
    return hn::Or3(m0, m1, m23);
  }
};

// One tree after its steps.
template <typename Number>
struct TreeOutcome {
  const TreePair* pair;
  const std::uint16_t* sources;  // of bundles, of twigs, then of the other leaves
  const Number* conditions;      // of bundles, then of twigs
  const std::uint64_t* places;
  const std::uint64_t* masks;  // of conditions
};

// Slot numbers as planes: plane b of row r is bit r of planes[b]. Octal digits: the lowest from the
// places, each higher one from the unions of 8 below it.
template <std::size_t kWidth, typename Number>
HWY_INLINE void number_slots(const TreeOutcome<Number>& tree, std::uint64_t* HWY_RESTRICT unions,
                             std::uint64_t* HWY_RESTRICT planes) {
  using D = MaskTag<kWidth>;
  const D d;
  constexpr std::size_t kWords = kWidth / 64;
  const std::size_t twigs_end =
      tree.pair->num_bundles + tree.pair->num_twigs / TreePair::kTwigGroup;
  for (std::size_t word = 0; word < kWords; word += hn::Lanes(d)) {
    const std::uint64_t* HWY_RESTRICT places = tree.places + word;
    const std::uint64_t* HWY_RESTRICT masks = tree.masks + word;
    const std::uint16_t* HWY_RESTRICT sources = tree.sources;
    const Number* HWY_RESTRICT conditions = tree.conditions;
    std::uint64_t* const out = unions + word;
    const auto place = [&](std::size_t i)
                           HWY_ATTR { return hn::Load(d, places + sources[i] * kScale<kWidth>); };
    const auto right = [&](std::size_t i)
                           HWY_ATTR { return hn::Load(d, masks + conditions[i] * kScale<kWidth>); };
    const auto store_digit = [&](const Digit<D>& digit, std::size_t number) HWY_ATTR {
      for (std::size_t b = 0; b < 3; ++b) {
        hn::Store(digit.bit[b], d, planes + (3 * number + b) * kWords + word);
      }
    };
    std::size_t size = tree.pair->num_slots / 8;
    Digit<D> lowest(d);
    std::size_t g = 0;
    for (; g < tree.pair->num_bundles; ++g) {
      hn::Store(lowest.add_bundle(place, right), d, out + g * kWords);
      sources += TreePair::kBundlePlaces;
      conditions += TreePair::kBundleConditions;
    }
    for (; g < twigs_end; ++g) {
      hn::Store(lowest.add_twigs(place, right), d, out + g * kWords);
      sources += TreePair::kTwigGroup;
      conditions += TreePair::kTwigGroup;
    }
    for (; g < size; ++g) {
      hn::Store(lowest.add_eight(place), d, out + g * kWords);
      sources += 8;
    }
    store_digit(lowest, 0);
    for (std::size_t number = 1; size > 1; ++number) {
      const std::size_t next_size = (size + 7) / 8;
      for (; size < 8 * next_size; ++size) hn::Store(hn::Zero(d), d, out + size * kWords);
      Digit<D> digit(d);
      for (std::size_t i = 0; i < next_size; ++i) {
        const auto below = [&](std::size_t j)
                               HWY_ATTR { return hn::Load(d, out + (8 * i + j) * kWords); };
        hn::Store(digit.add_eight(below), d, out + i * kWords);
      }
      store_digit(digit, number);
      size = next_size;
    }
  }
}

// The number that num_planes <= 8 planes give to each of Lanes(d) rows from row r on.
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

// Adds the leaf values of one tree after its steps; `which` of the pair it is.
template <std::size_t kWidth, typename Number>
HWY_INLINE void add_tree(const ScoringPlan& plan, const Number* conditions, const TreePair& pair,
                         std::size_t which, SlicedWorkspace& workspace) {
  alignas(64) std::uint64_t planes[kMaxPlanes * (kWidth / 64)];
  const std::size_t num_slots = pair.num_slots;
  const auto num_planes = static_cast<std::size_t>(std::bit_width(num_slots - 1));
  double* const sums = workspace.sums.data();
  const TreeOutcome<Number> tree{
      .pair = &pair,
      .sources =
          plan.sources.data() + pair.first_source + which * pair.num_sources() + pair.num_steps,
      .conditions =
          conditions + pair.first_condition + which * pair.num_conditions() + pair.num_steps,
      .places = workspace.places.data() + which * pair.num_places() * (kWidth / 64),
      .masks = workspace.conditions.data()};
  number_slots<kWidth>(tree, workspace.unions.data(), planes);
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
template <std::size_t kWidth, typename Number>
HWY_ATTR void add_trees(const ScoringPlan& plan, const Number* conditions, const SlicedBlock& block,
                        SlicedWorkspace& workspace) {
  std::fill_n(workspace.sums.data(), kWidth, plan.base_score);
  const LinesAhead ahead = lines_ahead(block);
  for (std::size_t t = 0; t < plan.num_trees; t += 2) {
    const TreePair& pair = plan.pairs[t / 2];
    run_steps<kWidth>(plan, conditions, pair, ahead.part(t / 2, plan.pairs.size()), workspace);
    add_tree<kWidth>(plan, conditions, pair, 0, workspace);
    if (t + 1 < plan.num_trees) add_tree<kWidth>(plan, conditions, pair, 1, workspace);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
