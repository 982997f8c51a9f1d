#pragma once
// A split of a leaf, and the arithmetic of gains and leaf values.
//
// With sums G of gradients and H of hessians, t(G) = G shrunk towards 0 by l1:
//   value(G, H)  = -t(G) / (H + l2)                       clamped to the leaf's bounds
//   score(G, H)  = t(G)^2 / (H + l2)                      (twice the fall of the loss)
//   gain         = score(left) + score(right) - score(parent)     must exceed min_gain and 0
// Where bounds clamp a value w, score = -(2 * G * w + (H + l2) * w^2 + 2 * l1 * |w|).
//
// Two forms of the quotients are in use, each written once, since they round differently:
//   newton_score()  one side, one division. Every gain that is reported, and EBM's and FAST's.
//   joint_score()   both sides over one divisor: one division a cut. Only to find the best cut, in
//                   vector loops: joint_score-inl.h has it for vectors, here it is for one number.
// The parent's score is the same for every cut of a leaf; loops that only compare leave it out.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "glassrank/boosting/tree/bin_set.h"

namespace glassrank {

// Of splits by categories (histogram/category_search.h), as LightGBM has them.
struct CategoryRules {
  double smooth = 10;  // on hessians in the order of categories; fewest rows of one that is tried
  double l2 = 10;      // on top of l2, in gains
  std::size_t max_one_hot = 4;
  std::size_t max_set = 32;          // most categories on the left
  std::size_t min_group_rows = 100;  // between one set that is tried and the next larger one
};

struct SplitRules {
  double l1 = 0;
  double l2 = 0;
  double min_gain = 0;
  double min_leaf_hessian = 1e-3;
  std::size_t min_leaf_rows = 20;
  CategoryRules categories = {};
};

struct LeafSums {
  double gradient = 0;
  double hessian = 0;
};

// What monotone constraints leave of a leaf's value (before the learning rate).
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool is_free() const { return std::isinf(low) && std::isinf(high); }
};

// Codes <= bin go left; the missing bin, which is the last code, goes left iff missing_left. Where
// the feature is one of categories, the codes of a set go left and all others right.
struct Split {
  double gain = 0;  // 0: there is none
  std::uint32_t feature = 0;
  std::uint32_t bin = 0;
  bool missing_left = false;
  double left_value = 0;
  double right_value = 0;
  bool is_set = false;
  BinSet bins = {};   // if is_set
  double set_l2 = 0;  // penalty on both values beside l2, as in the search for the set

  bool exists() const { return gain > 0; }
};

// Larger gain first; then the smaller feature, the smaller bin, missing values to the right: no
// choice depends on the order of the search.
inline bool is_better(const Split& a, const Split& b) {
  if (a.gain != b.gain) return a.gain > b.gain;
  if (!a.exists()) return false;
  if (a.feature != b.feature) return a.feature < b.feature;
  if (a.bin != b.bin) return a.bin < b.bin;
  return !a.missing_left && b.missing_left;
}

template <std::floating_point T>
constexpr T newton_score(T gradient, T weight) {
  return gradient * gradient / weight;
}

// `left` and `right` are squares of gradients.
template <std::floating_point T>
constexpr T joint_score(T left, T left_weight, T right, T right_weight) {
  return (left * right_weight + right * left_weight) / (left_weight * right_weight);
}

inline double shrink(double gradient, double l1) {
  return std::copysign(std::max(std::abs(gradient) - l1, 0.0), gradient);
}

inline double leaf_value(const LeafSums& sums, const SplitRules& rules, const ValueBounds& bounds) {
  const double divisor = sums.hessian + rules.l2;
  const double value = divisor > 0 ? -shrink(sums.gradient, rules.l1) / divisor : 0.0;
  return std::clamp(value, bounds.low, bounds.high);
}

inline double leaf_score(const LeafSums& sums, const SplitRules& rules, const ValueBounds& bounds) {
  const double divisor = sums.hessian + rules.l2;
  if (bounds.is_free()) {
    const double shrunk = shrink(sums.gradient, rules.l1);
    return divisor > 0 ? newton_score(shrunk, divisor) : 0.0;
  }
  const double w = leaf_value(sums, rules, bounds);
  return -(2 * sums.gradient * w + divisor * w * w + 2 * rules.l1 * std::abs(w));
}

}  // namespace glassrank
