#pragma once
// What a search for the best split of a leaf is asked, and what the two searches have in common.
//
// FullSearch (double sums, exact counts; the oracle) and PackedSearch (quantised gradients in small
// integers; fast) hold the histograms of the CPU's backend (cpu_backend.h). Life: start_tree() once
// per tree, then build(), subtract() and find() on numbered histograms.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/boosting/tree/split.h"
#include "glassrank/boosting/tree_backend.h"

namespace glassrank {

struct SplitTask {
  std::size_t histogram = 0;
  std::size_t num_rows = 0;  // exact
  ValueBounds bounds;
  // Estimated row counts must reach this many times min_leaf_rows; raised when an estimate was too
  // good. Searches with exact counts ignore it.
  double strictness = 1;
  std::span<const std::uint8_t> allowed;       // per feature
  std::span<const std::int8_t> monotone = {};  // per feature -1, 0, 1; empty: all 0
  // Estimates failed: count the leaf's rows instead.
  bool count_exactly = false;
  // Of the leaf, should they have to be counted.
  std::span<const std::uint32_t> active_rows = {};
  std::span<const std::uint32_t> idle_rows = {};
};

// What a tree's histograms are made of: its rows, which are reordered, and how many there are on
// all machines.
struct TreeRows {
  std::span<std::uint32_t> own;
  std::uint64_t everywhere = 0;
};

template <typename T>
concept SplitSearch = requires(T search, const T constant, const TreeGradients& gradients,
                               std::span<const std::uint32_t> rows, std::size_t histogram) {
  // Puts the active rows, which carry weight in this tree's histograms, first and returns their
  // number; both parts keep their order.
  { search.start_tree(gradients, TreeRows{}) } -> std::same_as<std::size_t>;
  // Of active rows.
  search.build(rows, histogram);
  // A parent's histogram becomes parent - child: the sibling's.
  search.subtract(histogram, histogram);
  { search.find(SplitTask{}) } -> std::same_as<Split>;
  // Whether trees on so many rows leave some idle by chance.
  { constant.draws_rows(std::uint64_t{}) } -> std::same_as<bool>;
};

}  // namespace glassrank
