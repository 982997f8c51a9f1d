#include "glassrank/boosting/tree/tree_grower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void insert_sorted(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto at = std::ranges::lower_bound(sorted, value);
  if (at == sorted.end() || *at != value) sorted.insert(at, value);
}

}  // namespace

std::span<const std::pair<std::string_view, Growth>> EnumNames<Growth>::table() {
  static constexpr std::array<std::pair<std::string_view, Growth>, 2> kNames = {
      {{"leaf", Growth::kLeafWise}, {"depth", Growth::kDepthWise}}};
  return kNames;
}

struct TreeGrower::OpenLeaf {
  std::uint64_t num_rows = 0;
  ValueBounds bounds;
  double set_l2 = 0;
  std::size_t depth = 0;
  std::int32_t parent = -1;  // -1: the root
  bool is_left = false;
  Split split = {};                        // none: not to be split
  std::vector<std::uint32_t> branch = {};  // features on the way here
};

struct TreeGrower::Growing {
  GrownTree tree;
  std::vector<OpenLeaf> leaves;
  std::vector<std::uint8_t> features;  // drawn for this tree
  std::vector<std::uint32_t> used;     // in this tree so far
  std::vector<std::uint8_t> allowed;   // scratch
};

TreeGrower::TreeGrower(BinnedDataset data, GrowerRules rules, TreeBackend& backend, Context context)
    : data_(std::move(data)),
      rules_(std::move(rules)),
      backend_(backend),
      context_(std::move(context)) {}

GrownTree TreeGrower::grow(const TreeGradients& gradients, SampledRows rows) {
  const Threads::Awake awake(*context_.threads);  // a tree is hundreds of short steps
  Growing state;
  draw_features(gradients.round, state.features);
  state.tree.num_rows = backend_.start_tree(gradients, rows);
  state.leaves.reserve(rules_.num_leaves);
  state.leaves.push_back({.num_rows = state.tree.num_rows});
  if (rules_.num_leaves > 1 && may_split(state.leaves[0])) {
    backend_.prepare_root();
    search_leaf(state, 0);
  }
  while (state.leaves.size() < rules_.num_leaves) {
    const std::size_t leaf = pick(state);
    if (leaf == kNone) break;
    if (const auto counts = backend_.divide(leaf, state.leaves[leaf].split)) {
      add_node(state, leaf, *counts);
      add_children(state, leaf, *counts);
    } else {
      search_leaf(state, leaf);
    }
  }
  for (const OpenLeaf& leaf : state.leaves) {
    state.tree.leaves.push_back(
        {.num_rows = leaf.num_rows, .bounds = leaf.bounds, .set_l2 = leaf.set_l2});
  }
  return std::move(state.tree);
}

bool TreeGrower::may_split(const OpenLeaf& leaf) const {
  return leaf.num_rows >=
             std::max({2 * rules_.min_leaf_rows, rules_.min_split_rows, std::size_t{2}}) &&
         (rules_.max_depth == 0 || leaf.depth < rules_.max_depth);
}

void TreeGrower::search_leaf(Growing& state, std::size_t at) const {
  OpenLeaf& leaf = state.leaves[at];
  state.allowed = state.features;
  if (rules_.constraint != nullptr) {
    rules_.constraint->restrict(leaf.branch, state.used, state.allowed);
  }
  leaf.split = backend_.best_split(at, state.allowed, leaf.bounds);
}

std::size_t TreeGrower::pick(const Growing& state) const {
  std::size_t best = kNone;
  for (std::size_t i = 0; i < state.leaves.size(); ++i) {
    const OpenLeaf& leaf = state.leaves[i];
    if (!leaf.split.exists()) continue;
    if (best == kNone) {
      best = i;
      continue;
    }
    const OpenLeaf& other = state.leaves[best];
    const bool by_depth = rules_.growth == Growth::kDepthWise && leaf.depth != other.depth;
    if (by_depth ? leaf.depth < other.depth : leaf.split.gain > other.split.gain) best = i;
  }
  return best;
}

void TreeGrower::add_node(Growing& state, std::size_t at, const ChildCounts& counts) const {
  const OpenLeaf& leaf = state.leaves[at];
  const Split& split = leaf.split;
  if (leaf.parent >= 0) {
    BinnedNode& parent = state.tree.nodes[static_cast<std::size_t>(leaf.parent)];
    const auto node = static_cast<std::int32_t>(state.tree.nodes.size());
    (leaf.is_left ? parent.left : parent.right) = node;
  }
  const bool larger_left = counts.left >= counts.right;
  const bool is_known = data_.num_missing(split.feature) > 0 || split.is_set;
  state.tree.nodes.push_back({.feature = split.feature,
                              .bin = split.bin,
                              .missing_left = is_known ? split.missing_left : larger_left,
                              .left = ~static_cast<std::int32_t>(at),
                              .right = ~static_cast<std::int32_t>(state.leaves.size()),
                              .asks_set = split.is_set,
                              .bins = split.bins});
  state.tree.node_gain.push_back(split.gain);
}

// The leaf becomes the left child, a new one the right.
void TreeGrower::add_children(Growing& state, std::size_t at, const ChildCounts& counts) const {
  OpenLeaf& left = state.leaves[at];
  const Split split = std::exchange(left.split, {});
  left.parent = static_cast<std::int32_t>(state.tree.nodes.size()) - 1;
  left.is_left = true;
  left.depth += 1;
  left.set_l2 = split.set_l2;
  insert_sorted(left.branch, split.feature);
  OpenLeaf right = left;
  right.is_left = false;
  left.num_rows = counts.left;
  right.num_rows = counts.right;
  const int direction = rules_.monotone.empty() ? 0 : rules_.monotone[split.feature];
  if (direction != 0) {
    const double middle = 0.5 * (split.left_value + split.right_value);
    ValueBounds& below = direction > 0 ? left.bounds : right.bounds;
    ValueBounds& above = direction > 0 ? right.bounds : left.bounds;
    below.high = std::min(below.high, middle);
    above.low = std::max(above.low, middle);
  }
  state.leaves.push_back(std::move(right));
  const std::size_t num_used = state.used.size();
  insert_sorted(state.used, split.feature);
  if (state.leaves.size() == rules_.num_leaves) return;
  search_children(state, at);
  if (state.used.size() > num_used && rules_.constraint != nullptr &&
      rules_.constraint->depends_on_tree()) {
    search_forbidden(state);
  }
}

void TreeGrower::search_children(Growing& state, std::size_t left) const {
  const std::size_t right = state.leaves.size() - 1;
  const bool split_left = may_split(state.leaves[left]);
  const bool split_right = may_split(state.leaves[right]);
  backend_.prepare_children(left, split_left, split_right);
  if (split_left) search_leaf(state, left);
  if (split_right) search_leaf(state, right);
}

// A feature is used that was not before: splits found earlier may no longer be allowed.
void TreeGrower::search_forbidden(Growing& state) const {
  for (std::size_t leaf = 0; leaf < state.leaves.size(); ++leaf) {
    const OpenLeaf& open = state.leaves[leaf];
    if (!open.split.exists()) continue;
    state.allowed = state.features;
    rules_.constraint->restrict(open.branch, state.used, state.allowed);
    if (state.allowed[open.split.feature] == 0) search_leaf(state, leaf);
  }
}

void TreeGrower::draw_features(std::size_t round, std::vector<std::uint8_t>& features) const {
  std::vector<std::uint32_t> usable;
  for (std::size_t f = 0; f < data_.num_features(); ++f) {
    if (!data_.is_constant(f)) usable.push_back(static_cast<std::uint32_t>(f));
  }
  features.assign(data_.num_features(), 0);
  if (rules_.feature_fraction < 1) {
    RandomSequence(CounterRandom(context_.seed, "feature_fraction", round)).shuffle(usable);
    const double share = rules_.feature_fraction * static_cast<double>(usable.size());
    usable.resize(std::min(usable.size(), static_cast<std::size_t>(std::ceil(share))));
  }
  for (const std::uint32_t f : usable) features[f] = 1;
}

}  // namespace glassrank
