#include "glassrank/boosting/tree/tree_grower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// Estimated counts are asked for 2, 4, ... times the minimum before exact ones are counted.
constexpr double kStrictest = 16;

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
  LeafRows rows;
  LeafCounts counts;
  ValueBounds bounds;
  std::size_t depth = 0;
  std::size_t histogram = kNone;  // none: not to be split
  std::int32_t parent = -1;       // -1: the root
  bool is_left = false;
  double strictness = 1;
  Split split = {};
  std::vector<std::uint32_t> branch = {};  // features on the way here
};

struct TreeGrower::Growing {
  GrownTree tree;
  std::vector<OpenLeaf> leaves;
  std::vector<std::uint8_t> features;  // drawn for this tree
  std::vector<std::uint32_t> used;     // in this tree so far
  std::vector<std::uint8_t> allowed;   // scratch
};

TreeGrower::TreeGrower(BinnedDataset data, GrowerRules rules, Parts parts, Context context)
    : data_(std::move(data)),
      rules_(std::move(rules)),
      search_(parts.search),
      partition_(parts.partition),
      times_(parts.times),
      context_(std::move(context)) {}

GrownTree TreeGrower::grow(const TreeGradients& gradients) {
  return grow_rows(gradients, partition_.start_all());
}

GrownTree TreeGrower::grow(const TreeGradients& gradients, std::span<const std::uint32_t> rows) {
  return grow_rows(gradients, partition_.start(rows));
}

GrownTree TreeGrower::grow_rows(const TreeGradients& gradients, std::span<std::uint32_t> rows) {
  const Threads::Awake awake(*context_.threads);  // a tree is hundreds of short steps
  Growing state;
  draw_features(gradients.round, state.features);
  const std::size_t num_active = start(gradients, rows);
  state.leaves.reserve(rules_.num_leaves);
  std::uint64_t counts[] = {num_active, rows.size() - num_active};
  context_.communicator->sum(counts);
  OpenLeaf& root = state.leaves.emplace_back(
      OpenLeaf{.rows = {.active = {0, num_active}, .idle = {num_active, rows.size()}},
               .counts = {.active = counts[0], .idle = counts[1]}});
  if (rules_.num_leaves > 1 && may_split(root)) {
    root.histogram = 0;
    build(root, 0);
    search_leaf(state, root);
  }
  while (state.leaves.size() < rules_.num_leaves) {
    const std::size_t next = pick(state);
    if (next == kNone) break;
    OpenLeaf& leaf = state.leaves[next];
    const Halves halves = divide_rows(leaf);
    if (std::min(halves.left_counts.all(), halves.right_counts.all()) <
        std::max<std::size_t>(rules_.split.min_leaf_rows, 1)) {
      leaf.strictness *= 2;
      search_leaf(state, leaf);
      continue;
    }
    divide(state, next, halves);
  }
  for (const OpenLeaf& leaf : state.leaves) {
    state.tree.leaves.push_back({.rows = leaf.rows, .counts = leaf.counts, .bounds = leaf.bounds});
  }
  return std::move(state.tree);
}

bool TreeGrower::may_split(const OpenLeaf& leaf) const {
  return leaf.counts.all() >= std::max<std::size_t>(2 * rules_.split.min_leaf_rows, 2) &&
         leaf.counts.active > 0 && (rules_.max_depth == 0 || leaf.depth < rules_.max_depth);
}

std::size_t TreeGrower::start(const TreeGradients& gradients, std::span<std::uint32_t> rows) const {
  const Stopwatch watch(times_.quantise);
  return search_.start_tree(gradients, rows);
}

TreeGrower::Halves TreeGrower::divide_rows(const OpenLeaf& leaf) const {
  const Stopwatch watch(times_.partition);
  const auto [left, right] = partition_.split(leaf.rows, leaf.split);
  std::uint64_t counts[] = {left.active.size(), left.idle.size()};
  context_.communicator->sum(counts);
  return {.left = left,
          .right = right,
          .left_counts = {.active = counts[0], .idle = counts[1]},
          .right_counts = {.active = leaf.counts.active - counts[0],
                           .idle = leaf.counts.idle - counts[1]}};
}

void TreeGrower::build(const OpenLeaf& leaf, std::size_t histogram) const {
  const Stopwatch watch(times_.histograms);
  times_.histogram_rows += leaf.rows.active.size();
  search_.build(partition_.rows(leaf.rows.active), histogram);
}

void TreeGrower::search_leaf(Growing& state, OpenLeaf& leaf) const {
  const Stopwatch watch(times_.splits);
  state.allowed = state.features;
  if (rules_.constraint != nullptr) {
    rules_.constraint->restrict(leaf.branch, state.used, state.allowed);
  }
  LeafQuestion question{.histogram = leaf.histogram,
                        .num_rows = leaf.counts.all(),
                        .bounds = leaf.bounds,
                        .strictness = leaf.strictness,
                        .allowed = state.allowed,
                        .monotone = rules_.monotone};
  if (leaf.strictness > kStrictest) {
    question.count_exactly = true;
    question.active_rows = partition_.rows(leaf.rows.active);
    question.idle_rows = partition_.rows(leaf.rows.idle);
  }
  leaf.split = search_.find(question);
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

void TreeGrower::divide(Growing& state, std::size_t at, const Halves& halves) const {
  OpenLeaf left = std::move(state.leaves[at]);
  const Split split = left.split;
  const auto node = static_cast<std::int32_t>(state.tree.nodes.size());
  const std::size_t right_at = state.leaves.size();
  if (left.parent >= 0) {
    BinnedNode& parent = state.tree.nodes[static_cast<std::size_t>(left.parent)];
    (left.is_left ? parent.left : parent.right) = node;
  }
  const bool larger_left = halves.left_counts.all() >= halves.right_counts.all();
  state.tree.nodes.push_back(
      {.feature = split.feature,
       .bin = split.bin,
       .missing_left = data_.num_missing(split.feature) > 0 ? split.missing_left : larger_left,
       .left = ~static_cast<std::int32_t>(at),
       .right = ~static_cast<std::int32_t>(right_at)});
  state.tree.node_gain.push_back(split.gain);

  left.parent = node;
  left.is_left = true;
  left.depth += 1;
  left.strictness = 1;
  left.split = {};
  insert_sorted(left.branch, split.feature);
  OpenLeaf right = left;
  right.is_left = false;
  left.rows = halves.left;
  left.counts = halves.left_counts;
  right.rows = halves.right;
  right.counts = halves.right_counts;
  const int direction = rules_.monotone.empty() ? 0 : rules_.monotone[split.feature];
  if (direction != 0) {
    const double middle = 0.5 * (split.left_value + split.right_value);
    ValueBounds& below = direction > 0 ? left.bounds : right.bounds;
    ValueBounds& above = direction > 0 ? right.bounds : left.bounds;
    below.high = std::min(below.high, middle);
    above.low = std::max(above.low, middle);
  }
  const std::size_t num_used = state.used.size();
  insert_sorted(state.used, split.feature);
  histograms_of_children(state, left, right);
  state.leaves[at] = std::move(left);
  state.leaves.push_back(std::move(right));
  const bool last = state.leaves.size() == rules_.num_leaves;
  if (!last && state.used.size() > num_used && rules_.constraint != nullptr &&
      rules_.constraint->depends_on_tree()) {
    search_forbidden(state);
  }
}

void TreeGrower::histograms_of_children(Growing& state, OpenLeaf& left, OpenLeaf& right) const {
  const std::size_t parent = left.histogram;
  const std::size_t fresh = state.leaves.size();  // as many histograms as leaves
  const bool last = fresh + 1 == rules_.num_leaves;
  const bool left_open = !last && may_split(left);
  const bool right_open = !last && may_split(right);
  left.histogram = kNone;
  right.histogram = kNone;
  if (!left_open && !right_open) return;
  OpenLeaf& smaller = left.counts.active <= right.counts.active ? left : right;
  OpenLeaf& larger = &smaller == &left ? right : left;
  build(smaller, fresh);
  if (&larger == &left ? left_open : right_open) {
    const Stopwatch watch(times_.splits);
    search_.subtract(parent, fresh);
  }
  smaller.histogram = fresh;
  larger.histogram = parent;
  if (left_open) search_leaf(state, left);
  if (right_open) search_leaf(state, right);
}

void TreeGrower::search_forbidden(Growing& state) const {
  for (OpenLeaf& leaf : state.leaves) {
    if (!leaf.split.exists()) continue;
    state.allowed = state.features;
    rules_.constraint->restrict(leaf.branch, state.used, state.allowed);
    if (state.allowed[leaf.split.feature] == 0) search_leaf(state, leaf);
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
