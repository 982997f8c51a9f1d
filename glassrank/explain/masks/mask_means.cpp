#include "glassrank/explain/masks/mask_means.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/mask_means.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/explain/masks/masked_add-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using SetTag = hn::CappedTag<std::uint64_t, kReferenceWords>;

// sums[m] += value x references in the set, for the masks of a group.
HWY_INLINE void add_leaf(std::uint64_t masks, const std::uint64_t* HWY_RESTRICT set, Fixed value,
                         Fixed* HWY_RESTRICT sums) {
  const SetTag d;
  auto counts = hn::Zero(d);
  for (std::size_t w = 0; w < kReferenceWords; w += hn::Lanes(d)) {
    counts = hn::Add(counts, hn::PopulationCount(hn::Load(d, set + w)));
  }
  const Fixed term = value * hn::GetLane(hn::SumOfLanes(d, counts));
  constexpr int kFew = 6;
  if (std::popcount(masks) <= kFew) {
    for (; masks != 0; masks &= masks - 1) sums[std::countr_zero(masks)] += term;
    return;
  }
  const SumTag of_sums;
  const auto terms = hn::Set(of_sums, term);
  for (std::size_t m = 0; m < 64; m += hn::Lanes(of_sums)) {
    const auto sum = hn::LoadU(of_sums, sums + m);
    hn::StoreU(add_where(sum, lanes_of(&masks, m), terms), of_sums, sums + m);
  }
}

// Which sides of a node have references.
struct Sides {
  bool own = false;  // the document's
  bool other = false;
};

// The references that go to the document's side move to `own`, the others stay in `set`. Where
// there are no others, or no own, all stay.
HWY_INLINE Sides divide_set(const std::uint64_t* HWY_RESTRICT left, bool document_left,
                            std::uint64_t* HWY_RESTRICT set, std::uint64_t* HWY_RESTRICT own) {
  const SetTag d;
  const auto turned = hn::Set(d, document_left ? ~std::uint64_t{0} : 0);
  auto any_own = hn::Zero(d);
  auto any_other = hn::Zero(d);
  for (std::size_t w = 0; w < kReferenceWords; w += hn::Lanes(d)) {
    const auto against = hn::Xor(hn::Load(d, left + w), turned);
    const auto all = hn::Load(d, set + w);
    any_own = hn::Or(any_own, hn::AndNot(against, all));
    any_other = hn::Or(any_other, hn::And(against, all));
  }
  const Sides sides{.own = !hn::AllTrue(d, hn::Eq(any_own, hn::Zero(d))),
                    .other = !hn::AllTrue(d, hn::Eq(any_other, hn::Zero(d)))};
  if (!sides.own || !sides.other) return sides;
  for (std::size_t w = 0; w < kReferenceWords; w += hn::Lanes(d)) {
    const auto against = hn::Xor(hn::Load(d, left + w), turned);
    const auto all = hn::Load(d, set + w);
    hn::Store(hn::AndNot(against, all), d, own + w);
    hn::Store(hn::And(against, all), d, set + w);
  }
  return sides;
}

// A tree with the masks of a word. Its sums are at `sums`.
class Descent {
 public:
  Descent(const MeanTask& task, std::size_t tree_number, std::size_t mask_word,
          MeanWorkspace& workspace, Fixed* sums)
      : task_(task),
        nodes_(task.table.trees()[tree_number].nodes.data()),
        first_node_(task.table.first_node[tree_number]),
        leaves_(task.table.leaves_of(tree_number)),
        mask_word_(mask_word),
        workspace_(workspace),
        sums_(sums) {}

  // The set of all masks, at the root, is the workspace's first.
  HWY_INLINE void run(std::uint64_t masks) {
    go_down({.node = 0, .masks = masks});
    while (!workspace_.waiting.empty()) {
      const MeanWorkspace::Group group = workspace_.waiting.back();
      workspace_.waiting.pop_back();
      go_down(group);
    }
  }

 private:
  std::uint64_t* set_now() const {
    return workspace_.sets.data() + workspace_.waiting.size() * kReferenceWords;
  }

  // Until a leaf; those that part on the way wait.
  HWY_INLINE void go_down(MeanWorkspace::Group group) {
    auto [at, masks] = group;
    while (at >= 0) {
      const TreeNode& node = nodes_[at];
      const std::size_t number = first_node_ + static_cast<std::size_t>(at);
      const bool left = task_.document.bits->goes_left(number, task_.document.row);
      const std::int32_t own = left ? node.left : node.right;
      const std::uint64_t unknowing = masks & ~task_.masks.knowing(node.feature)[mask_word_];
      if (unknowing == 0) {
        at = own;
        continue;
      }
      if (unknowing != masks) part(own, masks ^ unknowing);
      masks = unknowing;
      at = divide(number, left, own, left ? node.right : node.left, masks);
    }
    add_leaf(masks, set_now(), leaves_[~at], sums_);
  }

  // Those that know the feature wait with the whole set, of which the others get a copy.
  HWY_INLINE void part(std::int32_t node, std::uint64_t masks) {
    const std::uint64_t* const set = set_now();
    if (node < 0) {
      add_leaf(masks, set, leaves_[~node], sums_);
      return;
    }
    workspace_.waiting.push_back({.node = node, .masks = masks});
    std::copy_n(set, kReferenceWords, set_now());
  }

  // Where the group goes on.
  HWY_INLINE std::int32_t divide(std::size_t number, bool left, std::int32_t own,
                                 std::int32_t other, std::uint64_t masks) {
    std::uint64_t* const set = set_now();
    const std::uint64_t* const bits = task_.references.at(number) + task_.first_reference_word;
    const Sides sides = divide_set(bits, left, set, set + kReferenceWords);
    if (!sides.other) return own;
    if (!sides.own) return other;
    if (other < 0) {
      add_leaf(masks, set, leaves_[~other], sums_);
      std::copy_n(set + kReferenceWords, kReferenceWords, set);
    } else {
      workspace_.waiting.push_back({.node = other, .masks = masks});
    }
    return own;
  }

  const MeanTask& task_;
  const TreeNode* nodes_;
  std::size_t first_node_;
  const Fixed* leaves_;
  std::size_t mask_word_;
  MeanWorkspace& workspace_;
  Fixed* sums_;
};

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
    for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
      if (task.table.trees()[t].nodes.empty()) continue;
      std::ranges::copy(references, workspace.sets.data());
      Descent(task, t, w, workspace, sums + w * 64).run(task.masks.all()[w]);
    }
    for (std::size_t m = 0; m < 64; ++m) sums[w * 64 + m] += constant;
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(means_to_sums);

void add_means(const MeanTask& task, MeanWorkspace& workspace, Fixed* sums) {
  // A level leaves two groups behind at most; one more set is that of the group on its way, one is
  // room to divide it.
  const std::size_t needed = 2 * task.table.max_depth + 2;
  if (workspace.num_sets < needed) {
    workspace.num_sets = needed;
    workspace.sets = Buffer<std::uint64_t>(needed * kReferenceWords);
  }
  HWY_DYNAMIC_DISPATCH(means_to_sums)(task, workspace, sums);
}

}  // namespace glassrank
#endif
