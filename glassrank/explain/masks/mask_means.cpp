#include "glassrank/explain/masks/mask_means.h"

#include <algorithm>
#include <bit>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/mask_means.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using References = std::array<std::uint64_t, kGroupReferenceWords>;

// to = from & bits, or from & ~bits. Returns whether any is left, as 0 or 1.
HWY_INLINE std::size_t keep(const References& from, const std::uint64_t* HWY_RESTRICT bits,
                            bool inverted, References& to) {
  const hn::CappedTag<std::uint64_t, kGroupReferenceWords> d;
  const auto turned = hn::Set(d, inverted ? ~std::uint64_t{0} : 0);
  auto any = hn::Zero(d);
  for (std::size_t w = 0; w < kGroupReferenceWords; w += hn::Lanes(d)) {
    const auto chosen = hn::Xor(hn::Load(d, bits + w), turned);
    const auto kept = hn::And(hn::Load(d, from.data() + w), chosen);
    any = hn::Or(any, kept);
    hn::Store(kept, d, to.data() + w);
  }
  return hn::AllTrue(d, hn::Eq(any, hn::Zero(d))) ? 0 : 1;
}

HWY_INLINE Fixed count_bits(const References& words) {
  Fixed count = 0;
  for (const std::uint64_t word : words) count += static_cast<Fixed>(std::popcount(word));
  return count;
}

// One side of a node: a leaf has a value, a node gets groups.
struct Side {
  std::int32_t child = 0;
  Fixed value = 0;
  ReferenceGroup* groups = nullptr;
  std::size_t num_groups = 0;

  bool is_leaf() const { return child < 0; }
};

// A node: which way the document and each reference go, which masks know the feature.
struct Fork {
  bool document_left = false;
  const std::uint64_t* left = nullptr;
  std::uint64_t knowing = 0;
  Side own;  // the document's
  Side other;
};

// The groups a group becomes: on the document's side the masks that know the feature, with all
// references, and the others with the references that go there too; on the other side the rest.
// Without branches, for nothing here can be foretold: a group that is empty is overwritten by the
// next one.
template <bool kOwnLeaf, bool kOtherLeaf>
HWY_INLINE void divide_group(const ReferenceGroup& group, Fork& fork, Fixed* HWY_RESTRICT sums) {
  Side& own = fork.own;
  Side& other = fork.other;
  ReferenceGroup& against = other.groups[other.num_groups];
  const std::size_t any_against =
      keep(group.references, fork.left, fork.document_left, against.references);
  // Where all references go the document's way, it does not matter who knows the feature.
  const std::uint64_t unknown = group.masks & ~fork.knowing & (0 - any_against);
  const std::uint64_t known = group.masks & ~unknown;
  Fixed value = 0;  // of the masks that do not know the feature
  if constexpr (!kOtherLeaf) {
    against.masks = unknown;
    other.num_groups += unknown != 0 ? 1 : 0;
  } else {
    value += other.value * count_bits(against.references);
  }
  if constexpr (!kOwnLeaf) {
    ReferenceGroup& with = own.groups[own.num_groups];
    with = {.references = group.references, .masks = known};
    own.num_groups += known != 0 ? 1 : 0;
    ReferenceGroup& rest = own.groups[own.num_groups];
    const std::size_t any_with =
        keep(group.references, fork.left, !fork.document_left, rest.references);
    rest.masks = unknown;
    own.num_groups += unknown != 0 ? any_with : 0;
  }
  if constexpr (kOwnLeaf) {
    const Fixed count = count_bits(group.references);
    const Fixed values[2] = {value + own.value * (count - count_bits(against.references)),
                             own.value * count};
    for (std::uint64_t rest = group.masks; rest != 0; rest &= rest - 1) {
      const int mask = std::countr_zero(rest);
      sums[mask] += values[known >> mask & 1];
    }
  } else if constexpr (kOtherLeaf) {
    for (std::uint64_t rest = unknown; rest != 0; rest &= rest - 1) {
      sums[std::countr_zero(rest)] += value;
    }
  }
}

template <bool kOwnLeaf, bool kOtherLeaf>
HWY_INLINE void divide_all(std::span<const ReferenceGroup> groups, Fork& fork,
                           Fixed* HWY_RESTRICT sums) {
  Fork local = fork;  // in registers
  for (const ReferenceGroup& group : groups) divide_group<kOwnLeaf, kOtherLeaf>(group, local, sums);
  fork = local;
}

inline References all_references(std::size_t num_references) {
  References references = {};
  for (std::size_t r = 0; r < num_references; ++r) {
    references[r / 64] |= std::uint64_t{1} << (r % 64);
  }
  return references;
}

HWY_INLINE void divide_groups(const GroupTask& task, std::size_t tree_number, std::size_t mask_word,
                              const GroupWorkspace::Waiting& at, GroupWorkspace& workspace,
                              Fixed* HWY_RESTRICT sums) {
  const TreeNode& node = task.table.trees()[tree_number].nodes[static_cast<std::size_t>(at.node)];
  const std::size_t number = task.table.first_node[tree_number] + static_cast<std::size_t>(at.node);
  const Fixed* const leaves = task.table.leaves_of(tree_number);
  // A group becomes at most two on the document's side and one on the other.
  const std::size_t num_groups = at.last - at.first;
  const std::size_t needed = at.last + 3 * num_groups + 3;
  if (workspace.groups.size() < needed) workspace.groups.resize(2 * needed);
  ReferenceGroup* const groups = workspace.groups.data();
  const bool left = task.document.bits->goes_left(number, task.document.row);
  const auto side = [&](std::int32_t child, std::size_t first) {
    return Side{.child = child, .value = child < 0 ? leaves[~child] : 0, .groups = groups + first};
  };
  Fork fork{.document_left = left,
            .left = task.references.at(number) + task.first_reference_word,
            .knowing = task.masks.knowing(node.feature)[mask_word],
            .own = side(left ? node.left : node.right, at.last),
            .other = side(left ? node.right : node.left, at.last + 2 * num_groups + 2)};
  const std::span<const ReferenceGroup> all(groups + at.first, num_groups);
  if (fork.own.is_leaf()) {
    fork.other.is_leaf() ? divide_all<true, true>(all, fork, sums)
                         : divide_all<true, false>(all, fork, sums);
  } else {
    fork.other.is_leaf() ? divide_all<false, true>(all, fork, sums)
                         : divide_all<false, false>(all, fork, sums);
  }
  for (const Side& to : {fork.own, fork.other}) {
    if (to.num_groups == 0) continue;
    const auto first = static_cast<std::size_t>(to.groups - groups);
    workspace.waiting.push_back({to.child, first, first + to.num_groups});
  }
}

HWY_ATTR void means_to_sums(const GroupTask& task, GroupWorkspace& workspace, Fixed* sums) {
  const References references = all_references(task.num_references);
  const std::size_t num_words = (task.masks.num_masks() + 63) / 64;
  if (workspace.groups.empty()) workspace.groups.resize(1);
  Fixed constant = 0;  // of trees without a node
  for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
    if (task.table.trees()[t].nodes.empty()) {
      constant += *task.table.leaves_of(t) * task.num_references;
      continue;
    }
    for (std::size_t w = 0; w < num_words; ++w) {
      workspace.groups.front() = {.references = references, .masks = task.masks.all()[w]};
      workspace.waiting.assign(1, {.node = 0, .first = 0, .last = 1});
      while (!workspace.waiting.empty()) {
        const GroupWorkspace::Waiting at = workspace.waiting.back();
        workspace.waiting.pop_back();
        divide_groups(task, t, w, at, workspace, sums + w * 64);
      }
    }
  }
  for (std::size_t m = 0; m < num_words * 64; ++m) sums[m] += constant;
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
