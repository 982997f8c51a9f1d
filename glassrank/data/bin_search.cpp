#include "glassrank/data/bin_search.h"

#include <algorithm>
#include <limits>

// Highway compiles this file once per instruction set: what lies inside HWY_NAMESPACE exists in
// several versions, what lies inside HWY_ONCE in one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/data/bin_search.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// A register's worth of cuts; at least 4, since nodes of one entry would make no tree.
HWY_INLINE std::size_t node_entries() { return std::max<std::size_t>(hn::Lanes(Floats()), 4); }
std::size_t node_size() { return node_entries(); }

template <typename V>
HWY_INLINE std::size_t count_below(const float* node, V x) {
  const Floats d;
  std::size_t count = 0;
  for (std::size_t i = 0; i < node_entries(); i += hn::Lanes(d)) {
    count += hn::CountTrue(d, hn::Lt(hn::Load(d, node + i), x));
  }
  return count;
}

// kLevels steps from the highest level down; 0 means as many as the table has.
template <std::size_t kLevels, typename Code>
std::size_t search_levels(const SearchTable& table, StridedColumn values,
                          Code* HWY_RESTRICT codes) {
  const Floats d;
  const std::size_t num_levels = kLevels > 0 ? kLevels : table.num_levels();
  const float* known_levels[kLevels > 0 ? kLevels : 1] = {};
  for (std::size_t i = 0; i < kLevels; ++i) known_levels[i] = table.level(i);
  const float* const top = table.level(num_levels - 1);
  const auto root = hn::Load(d, top);  // the whole node, where a register holds one
  const bool root_fits = hn::Lanes(d) == node_entries();
  const std::size_t missing_bin = table.missing_bin();
  const std::size_t stride = values.stride;
  const float* HWY_RESTRICT next = values.first;
  std::size_t num_missing = 0;
  for (std::size_t i = 0; i < values.size; ++i, next += stride) {
    const float value = *next;
    const auto x = hn::Set(d, value);
    std::size_t bin = root_fits ? hn::CountTrue(d, hn::Lt(root, x)) : count_below(top, x);
    for (std::size_t level = num_levels - 1; level-- > 0;) {
      const float* nodes = kLevels > 0 ? known_levels[level] : table.level(level);
      bin *= node_entries();
      bin += count_below(nodes + bin, x);
    }
    const bool is_missing = value != value;
    codes[i] = static_cast<Code>(is_missing ? missing_bin : bin);
    num_missing += is_missing ? 1 : 0;
  }
  return num_missing;
}

template <typename Code>
std::size_t search(const SearchTable& table, StridedColumn values, Code* codes) {
  switch (table.num_levels()) {  // the usual depths get loops without inner loops
    case 1:
      return search_levels<1>(table, values, codes);
    case 2:
      return search_levels<2>(table, values, codes);
    case 3:
      return search_levels<3>(table, values, codes);
    default:
      return search_levels<0>(table, values, codes);
  }
}

std::size_t search_narrow(const SearchTable& table, StridedColumn values, std::uint8_t* codes) {
  return search(table, values, codes);
}
std::size_t search_wide(const SearchTable& table, StridedColumn values, std::uint16_t* codes) {
  return search(table, values, codes);
}

}  // namespace HWY_NAMESPACE
}  // namespace glassrank
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
HWY_EXPORT(node_size);
HWY_EXPORT(search_narrow);
HWY_EXPORT(search_wide);

SearchTable::SearchTable(std::span<const float> cuts) : missing_bin_(cuts.size() + 1) {
  const std::size_t node = HWY_DYNAMIC_DISPATCH(node_size)();
  // One more entry than cuts, so that every level ends in +infinity and no search leaves it.
  std::size_t num_entries = cuts.size() + 1;
  std::size_t total = 0;
  std::vector<std::size_t> sizes;
  do {
    sizes.push_back((num_entries + node - 1) / node * node);
    levels_.push_back(total);
    total += sizes.back();
    num_entries = sizes.back() / node;
  } while (num_entries > 1);

  entries_ = Buffer<float>(total);
  std::ranges::fill(entries_.span(), std::numeric_limits<float>::infinity());
  std::ranges::copy(cuts, entries_.data());
  for (std::size_t i = 1; i < levels_.size(); ++i) {
    const float* below = level(i - 1);
    for (std::size_t n = 0; n < sizes[i - 1] / node; ++n) {
      entries_[levels_[i] + n] = below[(n + 1) * node - 1];
    }
  }
}

std::size_t search_bins(const SearchTable& table, StridedColumn values, std::uint8_t* codes) {
  return HWY_DYNAMIC_DISPATCH(search_narrow)(table, values, codes);
}
std::size_t search_bins(const SearchTable& table, StridedColumn values, std::uint16_t* codes) {
  return HWY_DYNAMIC_DISPATCH(search_wide)(table, values, codes);
}

}  // namespace glassrank
#endif
