#pragma once
// Grows one tree: picks leaves, splits them, keeps every rule.
//
// Leaf-wise: the leaf with the largest gain next. Depth-wise: the shallowest leaf first, among
// those the largest gain. Only the smaller child's histogram is built; the sibling's is the
// parent's less that. Row counts are exact: a split that turns out to leave fewer than
// min_leaf_rows rows on a side is taken back and the leaf searched again with a stricter bound.
// Missing values of a feature that has none in training go to the larger child.
// Monotone direction +1 (-1): predictions never fall (rise) with the feature. A split on such a
// feature puts its middle value as a bound between both sides, for all later leaves and values.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/histogram/split_search.h"
#include "glassrank/boosting/times.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/boosting/tree/row_partition.h"

namespace glassrank {

enum class Growth { kLeafWise, kDepthWise };
template <>
struct EnumNames<Growth> {
  static std::span<const std::pair<std::string_view, Growth>> table();
};

struct GrowerRules {
  std::size_t num_leaves = 31;
  std::size_t max_depth = 0;  // 0: no limit
  Growth growth = Growth::kLeafWise;
  SplitRules split;
  double feature_fraction = 1;
  std::vector<std::int8_t> monotone;           // empty, or one of -1, 0, 1 per feature
  const TreeConstraint* constraint = nullptr;  // null: none
};

// Rows of a leaf on all machines together.
struct LeafCounts {
  std::uint64_t active = 0;
  std::uint64_t idle = 0;
  std::uint64_t all() const { return active + idle; }
};

struct GrownLeaf {
  LeafRows rows;
  LeafCounts counts;
  ValueBounds bounds;
};

struct GrownTree {
  std::vector<BinnedNode> nodes;
  std::vector<GrownLeaf> leaves;  // nodes.size() + 1
  std::vector<double> node_gain;
};

class TreeGrower {
 public:
  // What a grower works with; the grower's own while it lives.
  struct Parts {
    SplitSearch& search;  // with rules.num_leaves histograms
    RowPartition& partition;
    BoostingTimes& times;
  };
  TreeGrower(BinnedDataset data, GrowerRules rules, Parts parts, Context context);

  // On every row, or on those given (ascending).
  GrownTree grow(const TreeGradients& gradients);
  GrownTree grow(const TreeGradients& gradients, std::span<const std::uint32_t> rows);

 private:
  struct OpenLeaf;
  struct Growing;
  struct Halves {
    LeafRows left;
    LeafRows right;
    LeafCounts left_counts;
    LeafCounts right_counts;
  };

  GrownTree grow_rows(const TreeGradients& gradients, std::span<std::uint32_t> rows);
  std::size_t start(const TreeGradients& gradients, std::span<std::uint32_t> rows) const;
  Halves divide_rows(const OpenLeaf& leaf) const;
  void build(const OpenLeaf& leaf, std::size_t histogram) const;
  void search_leaf(Growing& state, OpenLeaf& leaf) const;
  bool may_split(const OpenLeaf& leaf) const;
  std::size_t pick(const Growing& state) const;
  void divide(Growing& state, std::size_t leaf, const Halves& halves) const;
  void histograms_of_children(Growing& state, OpenLeaf& left, OpenLeaf& right) const;
  void search_forbidden(Growing& state) const;
  void draw_features(std::size_t round, std::vector<std::uint8_t>& features) const;

  BinnedDataset data_;
  GrowerRules rules_;
  SplitSearch& search_;
  RowPartition& partition_;
  BoostingTimes& times_;
  Context context_;
};

}  // namespace glassrank
