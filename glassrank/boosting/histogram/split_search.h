#pragma once
// Histograms of leaves and the best split in them: the part of tree growing that is costly.
//
// Life: start_tree() once per tree, then build(), subtract() and find() on numbered histograms.
// Two implementations: FullSearch (double sums, exact counts; the oracle) and PackedSearch
// (quantised gradients in small integers; fast).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/boosting/tree/split.h"

namespace glassrank {

struct TreeGradients {
  std::span<const float> gradient;  // of every row of the training set
  std::span<const float> hessian;
  std::size_t round = 0;
  // There are so few rows that a search which leaves some out of its histograms need not.
  bool few_rows = false;
};

struct LeafQuestion {
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
  std::span<const std::uint32_t> active_rows = {};
  std::span<const std::uint32_t> idle_rows = {};
};

class SplitSearch {
 public:
  virtual ~SplitSearch() = default;
  // Puts the rows that carry weight in this tree's histograms first and returns their number; both
  // parts keep their order.
  virtual std::size_t start_tree(const TreeGradients& gradients, std::span<std::uint32_t> rows) = 0;
  // `rows` are rows that carry weight.
  virtual void build(std::span<const std::uint32_t> rows, std::size_t histogram) = 0;
  // histogram `parent` becomes parent - child: the sibling's.
  virtual void subtract(std::size_t parent, std::size_t child) = 0;
  virtual Split find(const LeafQuestion& question) = 0;
};

}  // namespace glassrank
