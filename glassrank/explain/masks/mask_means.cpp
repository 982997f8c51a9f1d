#include "glassrank/explain/masks/mask_means.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/mask_means.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// to = from & bits, or from & ~bits; whether any is left.
template <bool kNot, std::size_t kWords>
HWY_INLINE bool keep(const std::array<std::uint64_t, kWords>& from,
                     const std::uint64_t* HWY_RESTRICT bits,
                     std::array<std::uint64_t, kWords>& to) {
  const hn::CappedTag<std::uint64_t, kWords> d;
  auto any = hn::Zero(d);
  for (std::size_t w = 0; w < kWords; w += hn::Lanes(d)) {
    const auto all = hn::LoadU(d, from.data() + w);
    const auto chosen = hn::LoadU(d, bits + w);
    const auto kept = kNot ? hn::AndNot(chosen, all) : hn::And(all, chosen);
    any = hn::Or(any, kept);
    hn::StoreU(kept, d, to.data() + w);
  }
  return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

// One side of a node: a leaf takes its value at once, a node gets groups.
struct Side {
  std::int32_t child = 0;
  Fixed value = 0;                   // of a leaf
  ReferenceGroup* groups = nullptr;  // of a node
  std::size_t num_groups = 0;

  bool is_leaf() const { return child < 0; }
};

// A node: which way the document and each reference go, which masks know the feature.
struct Fork {
  bool document_left = false;
  const std::uint64_t* left = nullptr;
  const std::uint64_t* knowing = nullptr;
  Side own;  // the document's
  Side other;
};

HWY_INLINE std::size_t count_bits(const std::array<std::uint64_t, kGroupReferenceWords>& words) {
  std::size_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

HWY_INLINE void add_to(const std::array<std::uint64_t, kGroupMaskWords>& masks, Fixed value,
                       Fixed* HWY_RESTRICT sums) {
  for (std::size_t w = 0; w < kGroupMaskWords; ++w) {
    for (std::uint64_t left = masks[w]; left != 0; left &= left - 1) {
      sums[w * 64 + static_cast<std::size_t>(std::countr_zero(left))] += value;
    }
  }
}

// References that do not go the document's way, or that do.
template <bool kOwn>
HWY_INLINE bool keep_side(const ReferenceGroup& group, const Fork& fork, ReferenceGroup& to) {
  return fork.document_left == kOwn ? keep<false>(group.references, fork.left, to.references)
                                    : keep<true>(group.references, fork.left, to.references);
}

HWY_INLINE void divide_group(const ReferenceGroup& group, Fork& fork, Fixed* HWY_RESTRICT sums) {
  Side& own = fork.own;
  Side& other = fork.other;
  // Written where a node's next group would be; a leaf's side has room for one.
  ReferenceGroup& against = other.groups[other.num_groups];
  if (!keep_side<false>(group, fork, against)) {
    // All go the document's way, whether the feature is known or not.
    if (own.is_leaf()) {
      add_to(group.masks, own.value * count_bits(group.references), sums);
    } else {
      own.groups[own.num_groups++] = group;
    }
    return;
  }
  ReferenceGroup& with = own.groups[own.num_groups];
  if (keep<false>(group.masks, fork.knowing, with.masks)) {
    if (own.is_leaf()) {
      add_to(with.masks, own.value * count_bits(group.references), sums);
    } else {
      with.references = group.references;
      ++own.num_groups;
    }
  }
  if (!keep<true>(group.masks, fork.knowing, against.masks)) return;
  Fixed value = 0;
  if (own.is_leaf()) {
    value += own.value * (count_bits(group.references) - count_bits(against.references));
  } else if (ReferenceGroup& rest = own.groups[own.num_groups];
             keep_side<true>(group, fork, rest)) {
    rest.masks = against.masks;
    ++own.num_groups;
  }
  if (other.is_leaf()) {
    value += other.value * count_bits(against.references);
  } else {
    ++other.num_groups;
  }
  if (own.is_leaf() || other.is_leaf()) add_to(against.masks, value, sums);
}

// All masks with all references.
inline ReferenceGroup everything(const GroupTask& task) {
  ReferenceGroup group;
  std::copy_n(task.masks.all() + task.first_mask_word, kGroupMaskWords, group.masks.begin());
  group.references = {};
  for (std::size_t r = 0; r < task.num_references; ++r) {
    group.references[r / 64] |= std::uint64_t{1} << (r % 64);
  }
  return group;
}

HWY_INLINE void divide_groups(const GroupTask& task, std::size_t tree_number,
                              const GroupWorkspace::Waiting& at, GroupWorkspace& workspace,
                              Fixed* HWY_RESTRICT sums) {
  const TreeNode& node = task.table.trees()[tree_number].nodes[static_cast<std::size_t>(at.node)];
  const std::size_t number = task.table.first_node[tree_number] + static_cast<std::size_t>(at.node);
  const Fixed* const leaves = task.table.leaves_of(tree_number);
  // A group becomes at most two on the document's side and one on the other.
  const std::size_t num_groups = at.last - at.first;
  const std::size_t needed = at.last + 3 * num_groups + 2;
  if (workspace.groups.size() < needed) workspace.groups.resize(2 * needed);
  ReferenceGroup* const groups = workspace.groups.data();
  const bool left = task.document.bits->goes_left(number, task.document.row);
  const auto side = [&](std::int32_t child, std::size_t first) {
    return Side{.child = child, .value = child < 0 ? leaves[~child] : 0, .groups = groups + first};
  };
  Fork fork{.document_left = left,
            .left = task.references.at(number) + task.first_reference_word,
            .knowing = task.masks.knowing(node.feature) + task.first_mask_word,
            .own = side(left ? node.left : node.right, at.last),
            .other = side(left ? node.right : node.left, at.last + 2 * num_groups + 1)};
  for (std::size_t g = at.first; g < at.last; ++g) divide_group(groups[g], fork, sums);
  for (const Side& to : {fork.own, fork.other}) {
    if (to.num_groups == 0) continue;
    const auto first = static_cast<std::size_t>(to.groups - groups);
    workspace.waiting.push_back({to.child, first, first + to.num_groups});
  }
}

HWY_ATTR void means_to_sums(const GroupTask& task, GroupWorkspace& workspace, Fixed* sums) {
  const ReferenceGroup start = everything(task);
  Fixed constant = 0;  // of trees without a node
  for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
    if (task.table.trees()[t].nodes.empty()) {
      constant += *task.table.leaves_of(t) * task.num_references;
      continue;
    }
    if (workspace.groups.empty()) workspace.groups.resize(1);
    workspace.groups.front() = start;
    workspace.waiting.assign(1, {.node = 0, .first = 0, .last = 1});
    while (!workspace.waiting.empty()) {
      const GroupWorkspace::Waiting at = workspace.waiting.back();
      workspace.waiting.pop_back();
      divide_groups(task, t, at, workspace, sums);
    }
  }
  add_to(start.masks, constant, sums);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(means_to_sums);

void add_means(const GroupTask& task, GroupWorkspace& workspace, Fixed* sums) {
  HWY_DYNAMIC_DISPATCH(means_to_sums)(task, workspace, sums);
}

}  // namespace glassrank
#endif
