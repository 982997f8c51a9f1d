#include "glassrank/explain/masks/fixed_point.h"

#include <algorithm>
#include <span>

namespace glassrank {
namespace {

constexpr int kScoreBits = 52;  // one less than a double has: values are rounded, trees are many
constexpr int kSumBits = 61;

double largest_amount(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

FixedPoint FixedPoint::for_scores_up_to(double bound, std::size_t num_summed) {
  if (!(bound > 0)) return {};
  const int bits = num_summed == 1 ? kScoreBits : kSumBits;
  int exponent = 0;
  std::frexp(bound * static_cast<double>(num_summed), &exponent);  // it is below 2^exponent
  // Numbers of 2^-900 are as good as none; the scale itself must stay a double.
  return {.scale = std::ldexp(1.0, std::min(bits - exponent, 1000))};
}

double score_bound(const Forest& forest) {
  double bound = std::abs(forest.base_score());
  for (const Tree& tree : forest.trees()) bound += largest_amount(tree.leaf_values);
  return bound;
}

double score_bound(const Gam& gam) {
  double bound = std::abs(gam.intercept());
  for (const GamEffect& effect : gam.effects()) bound += largest_amount(effect.values);
  return bound;
}

}  // namespace glassrank
