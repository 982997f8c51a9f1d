#pragma once
// Where the nodes of a tree go in a ShapPlan, and how they hang together there (shap_plan.h).
//
// Children change places where that makes the first one a node if any is, and sides become answers
// to a question that missing values always answer with no. Slots are given kind by kind, so that
// nodes of a kind lie in few long runs, always after their parents.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/explain/tree_shap/shap_plan.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

// A node as the layout sees it: children in their order there, answers instead of sides.
struct NodeLayout {
  std::size_t node = 0;
  std::int32_t children[2] = {};  // as TreeNode's
  double shares[2] = {};
  bool first_if_yes = true;
  bool repeats = false;
  std::size_t num_features = 0;  // different ones on the path, this node's included
  std::int64_t parent = -1;      // index into the same array
  int place = 0;                 // 0: the parent's first child
  std::int64_t above = -1;       // the node above that splits on the same feature
  int above_place = 0;           // towards which of its children
  double ratio = 1;              // what the splits above leave open of the feature

  ShapChildren kind() const {
    if (children[1] >= 0) return ShapChildren::kTwoNodes;
    return children[0] >= 0 ? ShapChildren::kOneNode : ShapChildren::kNoNode;
  }
  std::uint32_t answer(int child) const { return (child == 0) == first_if_yes ? 0 : 1; }
};

class TreeLayout {
 public:
  // The tree must outlive the layout and have a node.
  TreeLayout(const Tree& tree, std::span<const NodeShares> shares);

  std::span<const NodeLayout> nodes() const { return layouts_; }  // parents first
  std::span<const ShapRun> runs() const { return runs_; }
  std::uint32_t slot(std::int64_t layout) const { return slots_[static_cast<std::size_t>(layout)]; }
  std::uint32_t slot_of_node(std::int32_t node) const { return slot(place_of_.at(node)); }
  std::uint32_t edge(std::int64_t layout, int child) const {
    return 2 * slot(layout) + layouts_[static_cast<std::size_t>(layout)].answer(child);
  }
  std::size_t max_features() const {
    return std::ranges::max(layouts_, {}, &NodeLayout::num_features).num_features;
  }

 private:
  void add(std::size_t n, NodeShares shares);
  void connect(NodeLayout& layout, std::int32_t n);

  // Slots: all that may come next of one kind, and what that sets free of the same kind, then
  // another kind. Nodes without nodes below come last of all.
  void order_by_kind();

  const Tree& tree_;
  std::vector<NodeLayout> layouts_;
  std::vector<std::uint32_t> slots_;  // of each layout
  std::vector<ShapRun> runs_;
  std::map<std::int32_t, std::int64_t> place_of_;                   // node -> layout
  std::map<std::int32_t, std::pair<std::int64_t, int>> parent_of_;  // node -> layout, its child
};

}  // namespace glassrank
