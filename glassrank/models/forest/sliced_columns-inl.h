// Steps 1 to 3 of sliced_scorer.h: from rows to one mask per condition.
//
// Thresholds of a feature are sorted, so a value's place among them answers all of its conditions.
// The search for that place compares with the same cut for many rows at once; each comparison gives
// one bit of the place, and the bits of a block of rows are already the masks that step 3 needs.
//
// Included once per instruction set by sliced_scorer.cpp.

#if defined(GLASSRANK_MODELS_SLICED_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_MODELS_SLICED_COLUMNS_INL_H_
#undef GLASSRANK_MODELS_SLICED_COLUMNS_INL_H_
#else
#define GLASSRANK_MODELS_SLICED_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "glassrank/models/forest/sliced_scorer.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 4 features of Lanes(d) rows as blocks of 4 lanes: rows r, r + 4, r + 8, ...
template <class D>
HWY_INLINE hn::Vec<D> load_quads(D d, const float* const* rows, std::size_t feature) {
  if constexpr (hn::MaxLanes(d) == 4) {
    return hn::LoadU(d, rows[0] + feature);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kHalf = hn::MaxLanes(D()) / 2;
    return hn::Combine(d, load_quads(half, rows + kHalf, feature), load_quads(half, rows, feature));
  }
}

// out[j * width + r] = rows[r][feature + j] for 4 features and Lanes(d) rows.
template <class D>
HWY_INLINE void transpose_quad(D d, const float* const* rows, std::size_t feature, float* out,
                               std::size_t width) {
  const hn::Repartition<double, D> dd;
  const auto a = load_quads(d, rows, feature);
  const auto b = load_quads(d, rows + 1, feature);
  const auto c = load_quads(d, rows + 2, feature);
  const auto e = load_quads(d, rows + 3, feature);
  const auto ab_low = hn::BitCast(dd, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(dd, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(dd, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(dd, hn::InterleaveUpper(d, c, e));
  hn::Store(hn::BitCast(d, hn::InterleaveLower(dd, ab_low, ce_low)), d, out);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(dd, ab_low, ce_low)), d, out + width);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(dd, ab_high, ce_high)), d, out + 2 * width);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(dd, ab_high, ce_high)), d, out + 3 * width);
}

// Features that something asks about, bit j for feature first + j.
struct NeededFeatures {
  std::size_t first = 0;
  std::uint32_t bits = 0;

  void add(std::size_t feature) { bits |= 1U << (feature - first); }
  // Whether one of the four from feature first + j on is needed.
  bool in_quad(std::size_t j) const { return (bits >> j & 0xF) != 0; }
};

// Feature first + j of all rows to out + (kFeatureLead + j) * width, for those of the 16 from
// `first` on that are needed.
inline HWY_ATTR void transpose_group(const SlicedBlock& block, const NeededFeatures& needed,
                                     std::size_t num_features, float* out) {
  const std::size_t first = needed.first;
  const hn::ScalableTag<float> d;
  const std::size_t width = block.width;
  for (std::size_t r = 0; r < width; r += hn::Lanes(d)) {
    // Places without a row repeat the last one; their scores are thrown away.
    const float* rows[hn::MaxLanes(hn::ScalableTag<float>())];
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      rows[i] = block.rows + std::min(r + i, block.num_rows - 1) * block.stride;
    }
    if (block.stride < 4) {
      for (std::size_t j = 0; j < num_features; ++j) {
        for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
          out[(kFeatureLead + j) * width + r + i] = rows[i][first + j];
        }
      }
      continue;
    }
    for (std::size_t j = 0; j < num_features; j += 4) {
      if (!needed.in_quad(j)) continue;
      // Never reads past a row: the last quad overlaps the one before it.
      const std::size_t feature = std::min(first + j, block.stride - 4);
      transpose_quad(d, rows, feature, out + (kFeatureLead + feature - first) * width + r, width);
    }
  }
}

// A search tree (ScoringPlan::search_trees) held in registers, as far as they reach.
template <class D, int kLevels>
class SearchTree {
 public:
  using V = hn::Vec<D>;
  using VI = hn::Vec<hn::RebindToSigned<D>>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr std::size_t kSize = std::max(kLanes, std::size_t{1} << kLevels);
  static constexpr std::size_t kRegisters = kLanes == 16 ? 32 : 16;  // with AVX-512, without
  static constexpr std::size_t kVectors = std::min(kSize / kLanes, kRegisters / 2);

  SearchTree(D d, const float* tree) : tree_(tree) {
    for (std::size_t i = 0; i < kVectors; ++i) vectors_[i] = hn::LoadU(d, tree + i * kLanes);
  }

  // tree[place] for places of one level.
  template <int kLevel>
  HWY_INLINE V at(VI place) const {
    constexpr std::size_t kFirst = (std::size_t{1} << kLevel) / kLanes;
    constexpr std::size_t kCount = kFirst == 0 ? 1 : kFirst;
    if constexpr (kFirst + kCount <= kVectors) {
      return select<kFirst, kCount>(place);
    } else {
      return hn::GatherIndex(D(), tree_, place);
    }
  }

 private:
  // Of kCount vectors, the one that the bits of `place` above the lane name, and its lane.
  template <std::size_t kFirst, std::size_t kCount>
  HWY_INLINE V select(VI place) const {
    const D d;
    const hn::RebindToSigned<D> di;
    if constexpr (kCount == 1) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
      return V{_mm512_permutexvar_ps(place.raw, vectors_[kFirst].raw)};
#else
      const auto lane = hn::And(place, hn::Set(di, static_cast<int>(kLanes - 1)));
      return hn::TableLookupLanes(vectors_[kFirst], hn::IndicesFromVec(d, lane));
#endif
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    } else if constexpr (kCount == 2) {
      return V{_mm512_permutex2var_ps(vectors_[kFirst].raw, place.raw, vectors_[kFirst + 1].raw)};
#endif
    } else {
      const auto bit = hn::Set(di, static_cast<int>(kLanes * kCount / 2));
      const auto upper = hn::RebindMask(d, hn::TestBit(place, bit));
      return hn::IfThenElse(upper, select<kFirst + kCount / 2, kCount / 2>(place),
                            select<kFirst, kCount / 2>(place));
    }
  }

  const float* tree_;
  V vectors_[kVectors];
};

// Writes the mask's bits at row r of a plane; r is a multiple of the lanes.
template <class D>
HWY_INLINE void store_bits(D d, hn::Mask<D> mask, std::uint8_t* plane, std::size_t r) {
  if constexpr (hn::MaxLanes(d) >= 8) {
    hn::StoreMaskBits(d, mask, plane + r / 8);
  } else {
    std::uint8_t bits[8];
    hn::StoreMaskBits(d, mask, bits);
    const unsigned before = r % 8 == 0 ? 0U : plane[r / 8];
    plane[r / 8] = static_cast<std::uint8_t>(before | (unsigned{bits[0]} << (r % 8)));
  }
}

// Vectors searched side by side: a search is a chain in which every comparison waits for the one
// before, so one alone would leave the processor idle. Fewer where the tree takes half the
// registers.
template <class Tree>
constexpr std::size_t kSearches = 2 * Tree::kVectors >= Tree::kRegisters ? 2 : 4;

// One level of the search after the other; kLevel 0 gives the highest bit of the place.
template <int kLevel, int kLevels, std::size_t kWidth, class D, std::size_t kCount>
HWY_INLINE void descend(D d, const SearchTree<D, kLevels>& tree, const hn::Vec<D> (&x)[kCount],
                        hn::Vec<hn::RebindToSigned<D>> (&place)[kCount], std::uint8_t* planes,
                        std::size_t r) {
  const hn::RebindToSigned<D> di;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto above = hn::Gt(x[i], tree.template at<kLevel>(place[i]));
    store_bits(d, above, planes + (kLevels - 1 - kLevel) * (kWidth / 8), r + i * hn::Lanes(d));
    if constexpr (kLevel + 1 < kLevels) {
      const auto left = hn::Add(place[i], place[i]);
      const auto right = hn::Add(left, hn::Set(di, 1));
      place[i] = hn::IfThenElse(hn::RebindMask(di, above), right, left);
    }
  }
  if constexpr (kLevel + 1 < kLevels) {
    descend<kLevel + 1, kLevels, kWidth>(d, tree, x, place, planes, r);
  }
}

// The place of every row's value among the cuts, as kLevels planes of kWidth bits.
template <int kLevels, std::size_t kWidth>
HWY_ATTR void search(const ScoringColumn& column, const float* values, const float* search_tree,
                     std::uint8_t* planes) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const SearchTree<hn::ScalableTag<float>, kLevels> tree(d, search_tree);
  const auto zero_bound = hn::Set(d, column.zero_bound);
  const auto missing_value = hn::Set(d, column.missing_value);
  const auto ceiling = hn::Set(d, column.ceiling);
  constexpr std::size_t kCount = kSearches<decltype(tree)>;
  static_assert(kWidth % (kCount * hn::MaxLanes(d)) == 0);
  for (std::size_t r = 0; r < kWidth; r += kCount * hn::Lanes(d)) {
    hn::Vec<decltype(d)> value[kCount];
    hn::Vec<decltype(di)> place[kCount];
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto x = hn::Load(d, values + r + i * hn::Lanes(d));
      const auto present = hn::Gt(hn::Abs(x), zero_bound);
      value[i] = hn::IfThenElse(present, hn::Min(x, ceiling), missing_value);
      place[i] = hn::Set(di, 1);
    }
    descend<0, kLevels, kWidth>(d, tree, value, place, planes, r);
  }
}

template <std::size_t kWidth>
HWY_INLINE void search_run(const ScoringColumn& column, const CutRun& run, const float* values,
                           const float* tree, std::uint8_t* planes) {
  switch (run.num_levels) {
    case 1:
      return search<1, kWidth>(column, values, tree, planes);
    case 2:
      return search<2, kWidth>(column, values, tree, planes);
    case 3:
      return search<3, kWidth>(column, values, tree, planes);
    case 4:
      return search<4, kWidth>(column, values, tree, planes);
    case 5:
      return search<5, kWidth>(column, values, tree, planes);
    case 6:
      return search<6, kWidth>(column, values, tree, planes);
    case 7:
      return search<7, kWidth>(column, values, tree, planes);
    default:
      return search<8, kWidth>(column, values, tree, planes);
  }
}

// A plane as wide as a vector: as often as the vector holds masks.
template <std::size_t kWords, class D>
HWY_INLINE hn::Vec<D> repeat_plane(D d, const std::uint64_t* plane) {
  if constexpr (kWords == hn::MaxLanes(D())) {
    return hn::Load(d, plane);
  } else {
    const auto half = repeat_plane<kWords>(hn::Half<D>(), plane);
    return hn::Combine(d, half, half);
  }
}

// masks[i] = place > i, for i < num_cuts, from the planes of the place.
// With one plane p more, the lower half becomes p | mask[i] and the upper half p & mask[i]; the
// last two planes are done at once, straight into `masks`. A vector holds several narrow masks or a
// part of a wide one. Where it holds more than are left, what it writes after them is written again
// by the next part or run; the workspace has room after the last.
template <std::size_t kWidth>
HWY_ATTR void expand(const std::uint64_t* planes, std::size_t num_levels, std::size_t num_cuts,
                     std::uint64_t* masks) {
  const hn::ScalableTag<std::uint64_t> d;
  constexpr std::size_t kWords = kWidth / 64;
  constexpr std::size_t kPart = std::min(kWords, hn::MaxLanes(d));  // words of a mask in a vector
  constexpr std::size_t kMasks = hn::MaxLanes(d) / kPart;
  static_assert(hn::MaxLanes(d) <= kSpareWords);
  alignas(64) std::uint64_t quarter[64 * kWords + hn::MaxLanes(d)];
  for (std::size_t word = 0; word < kWords; word += kPart) {
    std::uint64_t* const out = masks + word;
    std::uint64_t* const in = quarter + word;
    const auto plane = [&](std::size_t level) HWY_ATTR {
      return repeat_plane<kPart>(d, planes + level * kWords + word);
    };
    if (num_levels == 1) {
      hn::StoreU(plane(0), d, out);
      continue;
    }
    hn::StoreU(hn::Zero(d), d, in);
    std::size_t size = 1;
    for (std::size_t level = 0; level + 2 < num_levels; ++level, size *= 2) {
      const auto p = plane(level);
      for (std::size_t i = 0; i < size; i += kMasks) {
        const auto mask = hn::LoadU(d, in + i * kWords);
        hn::StoreU(hn::Or(p, mask), d, in + i * kWords);
        hn::StoreU(hn::And(p, mask), d, in + (size + i) * kWords);
      }
    }
    const auto low = plane(num_levels - 2);
    const auto high = plane(num_levels - 1);
    const auto any = hn::Or(high, low);
    const auto both = hn::And(high, low);
    const auto fill = [&](std::size_t part, auto&& combine) HWY_ATTR {
      const std::size_t end = std::min(num_cuts, (part + 1) * size);
      for (std::size_t i = part * size; i < end; i += kMasks) {
        const auto mask = hn::LoadU(d, in + (i - part * size) * kWords);
        hn::StoreU(combine(mask), d, out + i * kWords);
      }
    };
    fill(0, [&](auto mask) HWY_ATTR { return hn::Or(any, mask); });
    fill(1, [&](auto mask) HWY_ATTR { return hn::OrAnd(high, low, mask); });
    fill(2, [&](auto mask) HWY_ATTR { return hn::And(high, hn::Or(low, mask)); });
    fill(3, [&](auto mask) HWY_ATTR { return hn::And(both, mask); });
  }
}

// Asks for the features of a group, of rows begin .. end - 1, before they are transposed: they lie
// too far apart for the processor to foresee, and each would be waited for.
HWY_INLINE void prefetch_group(const SlicedBlock& block, std::size_t group, std::size_t begin,
                               std::size_t end) {
  // The line of the last feature: that of the first, if another, came with the group before.
  const std::size_t last = std::min(group + kFeatureGroup, block.stride) - 1;
  for (std::size_t r = begin; r < end; ++r) hwy::Prefetch(block.rows + r * block.stride + last);
}

// Steps 1 to 3: the mask of every condition, and the empty one after them.
template <std::size_t kWidth>
HWY_ATTR void evaluate_conditions(const ScoringPlan& plan, const SlicedBlock& block,
                                  SlicedWorkspace& workspace) {
  constexpr std::size_t kWords = kWidth / 64;
  alignas(64) std::uint64_t planes[8 * kWords];
  std::uint64_t* const masks = workspace.conditions.data();
  float* const columns = workspace.columns.data();
  const std::size_t num_runs = plan.runs.size();
  for (std::size_t begin = 0, end = 0; begin < num_runs; begin = end) {
    const auto group_of = [&](std::size_t run) {
      return plan.columns[plan.runs[run].column].feature / kFeatureGroup * kFeatureGroup;
    };
    const std::size_t group = group_of(begin);
    NeededFeatures needed{.first = group};
    for (; end < num_runs && group_of(end) == group; ++end) {
      needed.add(plan.columns[plan.runs[end].column].feature);
    }
    transpose_group(block, needed, std::min(kFeatureGroup, plan.num_features - group), columns);
    for (std::size_t i = begin; i < end; ++i) {
      if (end < num_runs) {
        const auto row = [&](std::size_t done) { return block.num_rows * done / (end - begin); };
        prefetch_group(block, group_of(end), row(i - begin), row(i - begin + 1));
      }
      const CutRun& run = plan.runs[i];
      const ScoringColumn& column = plan.columns[run.column];
      search_run<kWidth>(column, run, columns + (kFeatureLead + column.feature - group) * kWidth,
                         plan.search_trees.data() + run.search_tree,
                         reinterpret_cast<std::uint8_t*>(planes));
      expand<kWidth>(planes, run.num_levels, run.num_cuts, masks + run.first_condition * kWords);
    }
  }
  std::fill_n(masks + plan.num_conditions * kWords, kWords, 0);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
