#pragma once
// Grows one tree: decides which leaf is split next, on what, and when to stop. It never sees a row;
// the TreeBackend (tree_backend.h) searches, divides and counts.
//
// Leaf-wise: the leaf with the largest gain next. Depth-wise: the shallowest leaf first, among
// those the largest gain. A leaf that the backend could not divide as it had proposed, since a side
// had fewer than min_leaf_rows rows, is searched again.
// Missing values of a category go right. Missing values of another feature that has none in
// training go to the larger child. Monotone direction +1 (-1): predictions never fall (rise) with
// the feature. A split on such a feature puts its middle value as a bound between both sides, for
// all later leaves and values.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/boosting/tree/grown_tree.h"
#include "glassrank/boosting/tree_backend.h"
#include "glassrank/data/binned_dataset.h"

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
  std::size_t min_leaf_rows = 20;
  std::size_t min_split_rows = 0;  // fewest rows of a node that is divided
  double feature_fraction = 1;
  std::vector<std::int8_t> monotone;           // empty, or one of -1, 0, 1 per feature
  const TreeConstraint* constraint = nullptr;  // null: none
};

class TreeGrower {
 public:
  // The backend is of the same data and rules, and the grower's own while it lives.
  TreeGrower(BinnedDataset data, GrowerRules rules, TreeBackend& backend, Context context);

  GrownTree grow(const TreeGradients& gradients, SampledRows rows = std::nullopt);

 private:
  struct OpenLeaf;
  struct Growing;

  void search_leaf(Growing& state, std::size_t leaf) const;
  bool may_split(const OpenLeaf& leaf) const;
  std::size_t pick(const Growing& state) const;
  void add_node(Growing& state, std::size_t leaf, const ChildCounts& counts) const;
  void add_children(Growing& state, std::size_t leaf, const ChildCounts& counts) const;
  void search_children(Growing& state, std::size_t left) const;
  void search_forbidden(Growing& state) const;
  void draw_features(std::size_t round, std::vector<std::uint8_t>& features) const;

  BinnedDataset data_;
  GrowerRules rules_;
  TreeBackend& backend_;
  Context context_;
};

}  // namespace glassrank
