#pragma once
// The best split of a leaf by the categories of one feature: a set of them goes left.
//
// With sums G, H and rows n of every category in the leaf, and the rules of split.h:
//   few categories (up to max_one_hot): each one alone goes left.
//   more: those with n >= smooth are sorted by G / (H + smooth). For squared loss some prefix of
//   this order is the best of all sets (Fisher 1958). Prefixes of up to max_set categories, and of
//   no more than half of them, are tried from either end; a set is tried when min_group_rows rows
//   came to it since the last one that was. Gains count l2 + categories.l2 on both sides.
// That is LightGBM's rule. Rare and unseen categories, which share bins, and missing values go
// right always. Where the sums are equal the category with the smaller bin comes first, and a set
// wins over those that come after it. Cost: a sort of the categories.
//
// Both searches use this (full_search.h, packed_search.h), with exact or estimated counts.

#include <cstdint>
#include <span>

#include "glassrank/boosting/histogram/full_search.h"

namespace glassrank {

struct CategoryLeaf {
  std::span<const FullBin> bins;                 // of the feature, the missing bin last
  std::span<const std::uint32_t> category_bins;  // those that hold one category each
};

Split find_in_categories(const CategoryLeaf& leaf, std::uint32_t feature, const SplitRules& rules,
                         const ValueBounds& bounds);

}  // namespace glassrank
