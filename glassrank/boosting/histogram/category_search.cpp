#include "glassrank/boosting/histogram/category_search.h"

#include <algorithm>
#include <vector>

namespace glassrank {
namespace {

void add(FullBin& sum, const FullBin& bin) {
  sum.gradient += bin.gradient;
  sum.hessian += bin.hessian;
  sum.count += bin.count;
}

// What is left of a leaf, and what a side must fulfil.
class CategoryDivider {
 public:
  CategoryDivider(const CategoryLeaf& leaf, const SplitRules& rules, const ValueBounds& bounds)
      : rules_(rules), bounds_(bounds) {
    for (const FullBin& bin : leaf.bins) add(total_, bin);
    parent_score_ = leaf_score({total_.gradient, total_.hessian}, rules, bounds);
  }

  void add_l2(double l2) { rules_.l2 += l2; }
  bool is_enough(const FullBin& side) const {
    return side.count >= std::max(static_cast<double>(rules_.min_leaf_rows), 1.0) &&
           side.hessian >= rules_.min_leaf_hessian;
  }
  FullBin rest(const FullBin& left) const {
    return {total_.gradient - left.gradient, total_.hessian - left.hessian,
            total_.count - left.count};
  }
  // Gain and values of the split; a gain of 0 if it is too small.
  Split divide(const FullBin& left) const {
    const FullBin right = rest(left);
    const LeafSums left_sums{left.gradient, left.hessian};
    const LeafSums right_sums{right.gradient, right.hessian};
    const double gain = leaf_score(left_sums, rules_, bounds_) +
                        leaf_score(right_sums, rules_, bounds_) - parent_score_;
    Split split{.is_set = true};
    if (!(gain > rules_.min_gain)) return split;
    split.gain = gain;
    split.left_value = leaf_value(left_sums, rules_, bounds_);
    split.right_value = leaf_value(right_sums, rules_, bounds_);
    return split;
  }

 private:
  SplitRules rules_;
  ValueBounds bounds_;
  FullBin total_;
  double parent_score_ = 0;
};

Split best_single(const CategoryLeaf& leaf, const CategoryDivider& divider) {
  Split best;
  for (const std::uint32_t bin : leaf.category_bins) {
    const FullBin& left = leaf.bins[bin];
    if (!divider.is_enough(left) || !divider.is_enough(divider.rest(left))) continue;
    Split split = divider.divide(left);
    if (!(split.gain > best.gain)) continue;
    split.bins.add(bin);
    best = split;
  }
  return best;
}

// The best prefix of `order`; `num_categories` on the left.
Split best_prefix(std::span<const FullBin> bins, std::span<const std::uint32_t> order,
                  const CategoryRules& rules, const CategoryDivider& divider,
                  std::size_t& num_categories) {
  const std::size_t most = std::min(rules.max_set, (order.size() + 1) / 2);
  const auto least = static_cast<double>(rules.min_group_rows);
  Split best;
  FullBin left;
  double in_group = 0;
  for (std::size_t i = 0; i < most; ++i) {
    add(left, bins[order[i]]);
    in_group += bins[order[i]].count;
    if (!divider.is_enough(left)) continue;
    const FullBin right = divider.rest(left);
    if (!divider.is_enough(right) || right.count < least) break;
    if (in_group < least) continue;
    in_group = 0;
    const Split split = divider.divide(left);
    if (!(split.gain > best.gain)) continue;
    best = split;
    num_categories = i + 1;
  }
  return best;
}

Split best_set(const CategoryLeaf& leaf, const CategoryRules& rules,
               const CategoryDivider& divider) {
  std::vector<std::uint32_t> order;
  for (const std::uint32_t bin : leaf.category_bins) {
    if (leaf.bins[bin].count >= std::max(rules.smooth, 1.0)) order.push_back(bin);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t bin) {
    return leaf.bins[bin].gradient / (leaf.bins[bin].hessian + rules.smooth);
  });
  Split best;
  for (const bool from_end : {false, true}) {
    if (from_end) std::ranges::reverse(order);
    std::size_t num_categories = 0;
    Split split = best_prefix(leaf.bins, order, rules, divider, num_categories);
    if (!(split.gain > best.gain)) continue;
    for (std::size_t i = 0; i < num_categories; ++i) split.bins.add(order[i]);
    best = split;
  }
  return best;
}

}  // namespace

Split find_in_categories(const CategoryLeaf& leaf, std::uint32_t feature, const SplitRules& rules,
                         const ValueBounds& bounds) {
  CategoryDivider divider(leaf, rules, bounds);
  Split best;
  if (leaf.category_bins.size() <= rules.categories.max_one_hot) {
    best = best_single(leaf, divider);
  } else {
    divider.add_l2(rules.categories.l2);
    best = best_set(leaf, rules.categories, divider);
    best.set_l2 = rules.categories.l2;
  }
  best.feature = feature;
  return best;
}

}  // namespace glassrank
