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

using SetTag = hn::CappedTag<std::uint64_t, kReferenceWords>;
constexpr std::size_t kLevelWords = 64 * kReferenceWords;

// parts += value x references in the set, word by word.
HWY_INLINE void add_leaf(std::uint64_t masks, const std::uint64_t* HWY_RESTRICT sets, Fixed value,
                         std::uint64_t* HWY_RESTRICT parts) {
  const SetTag d;
  const auto factor = hn::Set(d, value);
  for (; masks != 0; masks &= masks - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(masks)) * kReferenceWords;
    for (std::size_t w = 0; w < kReferenceWords; w += hn::Lanes(d)) {
      const auto count = hn::PopulationCount(hn::Load(d, sets + at + w));
      const auto sum = hn::Load(d, parts + at + w);
      hn::Store(hn::Add(sum, hn::Mul(count, factor)), d, parts + at + w);
    }
  }
}

// Which of the masks have references left on either side of a node.
struct Sides {
  std::uint64_t own = 0;  // the document's
  std::uint64_t other = 0;
};

// Divides the sets of the masks that do not know the node's feature: the document's side stays in
// `sets`, the other one goes to `others`.
template <bool kOtherIsLeaf>
HWY_INLINE Sides divide_sets(std::uint64_t unknowing, const std::uint64_t* HWY_RESTRICT left,
                             bool document_left, Fixed other_value,
                             std::uint64_t* HWY_RESTRICT sets, std::uint64_t* HWY_RESTRICT others,
                             std::uint64_t* HWY_RESTRICT parts) {
  const SetTag d;
  const auto turned = hn::Set(d, document_left ? ~std::uint64_t{0} : 0);
  const auto factor = hn::Set(d, other_value);
  Sides sides;
  for (std::uint64_t rest = unknowing; rest != 0; rest &= rest - 1) {
    const int mask = std::countr_zero(rest);
    const auto at = static_cast<std::size_t>(mask) * kReferenceWords;
    auto any_own = hn::Zero(d);
    auto any_other = hn::Zero(d);
    for (std::size_t w = 0; w < kReferenceWords; w += hn::Lanes(d)) {
      const auto against = hn::Xor(hn::Load(d, left + w), turned);
      const auto set = hn::Load(d, sets + at + w);
      const auto own = hn::AndNot(against, set);
      const auto other = hn::And(against, set);
      hn::Store(own, d, sets + at + w);
      any_own = hn::Or(any_own, own);
      if constexpr (kOtherIsLeaf) {
        const auto sum = hn::Load(d, parts + at + w);
        hn::Store(hn::Add(sum, hn::Mul(hn::PopulationCount(other), factor)), d, parts + at + w);
      } else {
        hn::Store(other, d, others + at + w);
        any_other = hn::Or(any_other, other);
      }
    }
    const auto bit = std::uint64_t{1} << mask;
    sides.own |= hn::AllTrue(d, hn::Eq(any_own, hn::Zero(d))) ? 0 : bit;
    if constexpr (!kOtherIsLeaf) {
      sides.other |= hn::AllTrue(d, hn::Eq(any_other, hn::Zero(d))) ? 0 : bit;
    }
  }
  return sides;
}

// The same tree for 64 masks.
HWY_INLINE void descend(const MeanTask& task, std::size_t tree_number, std::size_t mask_word,
                        MeanWorkspace& workspace) {
  const Tree& tree = task.table.trees()[tree_number];
  const std::size_t first_node = task.table.first_node[tree_number];
  const Fixed* const leaves = task.table.leaves_of(tree_number);
  std::uint64_t* const parts = workspace.parts.data();
  while (!workspace.waiting.empty()) {
    auto [at, masks, level] = workspace.waiting.back();
    workspace.waiting.pop_back();
    std::uint64_t* const sets = workspace.sets.data() + level * kLevelWords;
    while (at >= 0 && masks != 0) {
      const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
      const std::size_t number = first_node + static_cast<std::size_t>(at);
      const bool left = task.document.bits->goes_left(number, task.document.row);
      const std::int32_t other = left ? node.right : node.left;
      const std::uint64_t unknowing = masks & ~task.masks.knowing(node.feature)[mask_word];
      const std::uint64_t* const bits = task.references.at(number) + task.first_reference_word;
      Sides sides;
      if (other < 0) {
        sides = divide_sets<true>(unknowing, bits, left, leaves[~other], sets, nullptr, parts);
      } else {
        sides = divide_sets<false>(unknowing, bits, left, 0, sets,
                                   workspace.sets.data() + (level + 1) * kLevelWords, parts);
        if (sides.other != 0) workspace.waiting.push_back({other, sides.other, ++level});
      }
      masks = (masks & ~unknowing) | sides.own;
      at = left ? node.left : node.right;
    }
    if (masks != 0) add_leaf(masks, sets, leaves[~at], parts);
  }
}

HWY_ATTR void means_to_sums(const MeanTask& task, MeanWorkspace& workspace, Fixed* sums) {
  std::array<std::uint64_t, kReferenceWords> references = {};
  for (std::size_t r = 0; r < task.num_references; ++r) {
    references[r / 64] |= std::uint64_t{1} << (r % 64);
  }
  Fixed constant = 0;  // of trees without a node
  for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
    if (task.table.trees()[t].nodes.empty()) {
      constant += *task.table.leaves_of(t) * task.num_references;
    }
  }
  const std::size_t num_words = (task.masks.num_masks() + 63) / 64;
  for (std::size_t w = 0; w < num_words; ++w) {
    std::ranges::fill(workspace.parts.span(), 0);
    for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
      if (task.table.trees()[t].nodes.empty()) continue;
      for (std::size_t m = 0; m < 64; ++m) {
        std::ranges::copy(references, workspace.sets.data() + m * kReferenceWords);
      }
      workspace.waiting.assign(1, {.node = 0, .masks = task.masks.all()[w], .level = 0});
      descend(task, t, w, workspace);
    }
    for (std::size_t m = 0; m < 64; ++m) {
      Fixed sum = constant;
      for (std::size_t i = 0; i < kReferenceWords; ++i) {
        sum += workspace.parts[m * kReferenceWords + i];
      }
      sums[w * 64 + m] += sum;
    }
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(means_to_sums);

void add_means(const MeanTask& task, MeanWorkspace& workspace, Fixed* sums) {
  const std::size_t needed = task.table.max_depth + 1;  // one below the last sets that divide
  if (workspace.num_levels < needed) {
    workspace.num_levels = needed;
    workspace.sets = Buffer<std::uint64_t>(needed * 64 * kReferenceWords);
    workspace.parts = Buffer<std::uint64_t>(64 * kReferenceWords);
  }
  HWY_DYNAMIC_DISPATCH(means_to_sums)(task, workspace, sums);
}

}  // namespace glassrank
#endif
