#include "glassrank/explain/masks/fixed_point.h"

#include <algorithm>
#include <span>

namespace glassrank {
namespace {

constexpr int kBits = 61;

double largest_amount(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

FixedPoint FixedPoint::for_sums_up_to(double bound) {
  if (!(bound > 0)) return {};
  int exponent = 0;
  std::frexp(bound, &exponent);  // bound < 2^exponent
  // Numbers of 2^-900 are as good as none; the scale itself must stay a double.
  return {.scale = std::ldexp(1.0, std::min(kBits - exponent, 1000))};
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
