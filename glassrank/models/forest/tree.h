#pragma once
// One regression tree: inner nodes and leaves as two arrays.
//
// Decision at a node: a missing value (NaN) goes left iff missing_left; otherwise x <= threshold
// goes left, compared in float32. Every peer's rule is brought to this one when a model is read:
//   x <= t with a double t  ->  the largest float32 <= t        (exact for float32 data)
//   x <  t with a float32 t ->  the next float32 below t
// A node with a set of categories asks instead whether x is in it (category_set.h): what is goes
// left, everything else that is not missing right; its threshold means nothing.
// zero_is_missing is LightGBM's zero_as_missing: |x| <= kZeroThreshold counts as missing at that
// node. A child >= 0 is an inner node, a child < 0 is leaf ~child. The root is node 0; a tree
// without nodes is one leaf. Leaf values include the learning rate.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/forest/category_set.h"

namespace glassrank {

// What zero_is_missing takes for zero, the bound included; LightGBM's constant of this name.
inline constexpr float kZeroThreshold = 1e-35F;

struct TreeNode {
  std::uint32_t feature = 0;
  float threshold = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
  bool missing_left = false;
  bool zero_is_missing = false;
  CategorySet categories = {};  // none: the node compares with the threshold

  bool asks_category() const { return categories.exists(); }
  bool operator==(const TreeNode&) const = default;
};

// What training knew about nodes and leaves; each array is empty or as long as its counterpart.
struct TreeStatistics {
  std::vector<double> node_gain;
  std::vector<double> node_value;
  std::vector<double> node_weight;  // sum of hessians
  std::vector<std::uint64_t> node_count;
  std::vector<double> leaf_weight;
  std::vector<std::uint64_t> leaf_count;

  bool operator==(const TreeStatistics&) const = default;
};

struct Tree {
  std::vector<TreeNode> nodes;
  std::vector<double> leaf_values;  // at least one; nodes.size() + 1 of them
  TreeStatistics statistics;

  std::size_t num_leaves() const { return leaf_values.size(); }
  bool operator==(const Tree&) const = default;
};

// Whether a value goes left at a node: the one definition of a decision.
bool goes_left(const TreeNode& node, float value);

// The leaf a row falls into. Values beyond the row's end count as missing.
std::size_t leaf_of(const Tree& tree, std::span<const float> row);

// Whether some node asks for categories.
bool has_categories(std::span<const Tree> trees);

// The features a tree, or any of several, splits on, ascending.
std::vector<std::uint32_t> features_of(const Tree& tree);
std::vector<std::uint32_t> features_of(std::span<const Tree> trees);

// Throws Error{kInput} naming the node: children that are out of range, shared or cyclic, a NaN
// threshold, a feature >= num_features, zero as missing in a set of categories, a leaf value that
// is not finite, statistics of wrong length.
void validate(const Tree& tree, std::size_t num_features);

}  // namespace glassrank
