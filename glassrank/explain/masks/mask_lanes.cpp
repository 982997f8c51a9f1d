#include "glassrank/explain/masks/mask_lanes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/mask_lanes.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/explain/masks/leaf_lookup-inl.h"
#include "glassrank/explain/masks/masked_add-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four vectors of sums stay in registers while the terms pass by.
HWY_ATTR void terms_to_sums(std::span<const MaskedTerm> terms, std::size_t num_words,
                            Fixed* HWY_RESTRICT sums) {
  const SumTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t m = 0; m < num_words * 64; m += 4 * lanes) {
    auto sum0 = hn::Load(d, sums + m);
    auto sum1 = hn::Load(d, sums + m + lanes);
    auto sum2 = hn::Load(d, sums + m + 2 * lanes);
    auto sum3 = hn::Load(d, sums + m + 3 * lanes);
    const std::size_t first = m % 64;
    for (const MaskedTerm& term : terms) {
      const std::uint64_t* const word = term.where + m / 64;
      const auto value = hn::Set(d, term.value);
      sum0 = add_where(sum0, lanes_of(word, first), value);
      sum1 = add_where(sum1, lanes_of(word, first + lanes), value);
      sum2 = add_where(sum2, lanes_of(word, first + 2 * lanes), value);
      sum3 = add_where(sum3, lanes_of(word, first + 3 * lanes), value);
    }
    hn::Store(sum0, d, sums + m);
    hn::Store(sum1, d, sums + m + lanes);
    hn::Store(sum2, d, sums + m + 2 * lanes);
    hn::Store(sum3, d, sums + m + 3 * lanes);
  }
}

// Divides the masks: those with `knowing` stay, the others go to `rest`. Returns whether there are
// any of either kind.
struct Parts {
  bool stay = false;
  bool leave = false;
};
HWY_INLINE Parts divide(std::uint64_t* HWY_RESTRICT masks,
                        const std::uint64_t* HWY_RESTRICT knowing, std::size_t num_words,
                        std::uint64_t* HWY_RESTRICT rest) {
  const hn::CappedTag<std::uint64_t, 8> d;
  auto any_stay = hn::Zero(d);
  auto any_leave = hn::Zero(d);
  for (std::size_t w = 0; w < num_words; w += hn::Lanes(d)) {
    const auto all = hn::Load(d, masks + w);
    const auto known = hn::Load(d, knowing + w);
    const auto stay = hn::And(all, known);
    const auto leave = hn::AndNot(known, all);
    any_stay = hn::Or(any_stay, stay);
    any_leave = hn::Or(any_leave, leave);
    hn::Store(stay, d, masks + w);
    hn::Store(leave, d, rest + w);
  }
  return {.stay = !hn::AllTrue(d, hn::Eq(any_stay, hn::Zero(d))),
          .leave = !hn::AllTrue(d, hn::Eq(any_leave, hn::Zero(d)))};
}

// The leaves that the masks of one tree end in, in workspace.terms.
HWY_INLINE void descend(const Tree& tree, std::size_t first_node, const Fixed* leaves,
                        const LaneRows& rows, const MaskColumns& masks, LaneWorkspace& workspace) {
  const BranchRow document = rows.document;
  const BranchRow reference = rows.reference;
  const std::size_t num_words = masks.num_words();
  std::uint64_t* set = workspace.bits.data();
  std::uint64_t* unused = set + num_words;
  std::copy_n(masks.all(), num_words, set);
  workspace.terms.clear();
  workspace.waiting.clear();
  std::int32_t at = tree.nodes.empty() ? ~0 : 0;
  for (;;) {
    while (at >= 0) {
      const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
      const std::size_t number = first_node + static_cast<std::size_t>(at);
      const bool left = document.bits->goes_left(number, document.row);
      const std::int32_t own = left ? node.left : node.right;
      at = own;
      if (left == reference.bits->goes_left(number, reference.row)) continue;
      const std::int32_t other = left ? node.right : node.left;
      const Parts parts = divide(set, masks.knowing(node.feature), num_words, unused);
      if (!parts.leave) continue;
      if (parts.stay) {
        workspace.waiting.push_back({other, unused});
      } else {
        // All go the reference's way: they are what `unused` holds now.
        std::copy_n(unused, num_words, set);
        at = other;
        continue;
      }
      unused += num_words;
    }
    workspace.terms.push_back({set, leaves[~at]});
    if (workspace.waiting.empty()) return;
    at = workspace.waiting.back().node;
    set = workspace.waiting.back().masks;
    workspace.waiting.pop_back();
  }
}

// Adds terms whose masks do not meet, by look-ups where that is less work.
HWY_INLINE void add_disjoint(std::span<const MaskedTerm> terms, std::size_t num_words,
                             LaneWorkspace& workspace, Fixed* sums) {
  constexpr std::size_t kMostOfALookup = 7;
  constexpr std::size_t kFewestOfALookup = 3;
  while (kLooksUp && terms.size() >= kFewestOfALookup) {
    const std::size_t count = std::min(terms.size(), kMostOfALookup);
    queue_lookup(terms.first(count), num_words, workspace, sums);
    terms = terms.subspan(count);
  }
  if (!terms.empty()) terms_to_sums(terms, num_words, sums);
}

HWY_ATTR void forest_to_sums(const ForestTable& table, const LaneRows& rows,
                             const MaskColumns& masks, LaneWorkspace& workspace, Fixed* sums) {
  Fixed common = 0;
  for (std::size_t t = rows.first_tree; t < rows.last_tree; ++t) {
    descend(table.trees()[t], table.first_node[t], table.leaves_of(t), rows, masks, workspace);
    // All masks get the first leaf's value at the end; the others differ from it by so much.
    std::vector<MaskedTerm>& terms = workspace.terms;
    const Fixed first = terms.front().value;
    common += first;
    for (MaskedTerm& term : terms) term.value -= first;
    add_disjoint(std::span<const MaskedTerm>(terms).subspan(1), masks.num_words(), workspace, sums);
  }
  if (workspace.num_lookups > 0) look_up(workspace, masks.num_words(), sums);
  for (std::size_t m = 0; m < masks.num_masks(); ++m) sums[m] += common;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(terms_to_sums);
HWY_EXPORT(forest_to_sums);

void add_terms(std::span<const MaskedTerm> terms, std::size_t num_words, Fixed* sums) {
  HWY_DYNAMIC_DISPATCH(terms_to_sums)(terms, num_words, sums);
}

LaneWorkspace::LaneWorkspace(const ForestTable& table, const MaskColumns& masks)
    : bits((table.max_leaves + 1) * masks.num_words()),
      numbers(kLookups * masks.num_words() * 64),
      tables(kLookups * 8) {
  std::ranges::fill(numbers.span(), 0);
}

void add_forest(const ForestTable& table, const LaneRows& rows, const MaskColumns& masks,
                LaneWorkspace& workspace, Fixed* sums) {
  HWY_DYNAMIC_DISPATCH(forest_to_sums)(table, rows, masks, workspace, sums);
}

}  // namespace glassrank
#endif
