#include "glassrank/explain/counterfactual/plain_value.h"

#include <algorithm>
#include <cmath>

namespace glassrank {
namespace {

constexpr int kMostDigits = 9;  // that tell float32 values apart

}  // namespace

float plain_value(float nearest, float farthest) {
  const bool is_up = farthest > nearest;
  const double low = std::min(nearest, farthest);
  const double high = std::max(nearest, farthest);
  if (low <= 0 && high >= 0) return 0;
  const double largest = std::max(std::abs(low), std::abs(high));
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    const double unit = std::pow(10.0, exponent - digits + 1);
    if (!(unit > 0)) break;
    const double number = is_up ? std::ceil(nearest / unit) : std::floor(nearest / unit);
    // Tenths are not exact: dividing by 10 is more so than multiplying with 0.1.
    const auto value = static_cast<float>(unit < 1 ? number / std::round(1 / unit) : number * unit);
    if (value >= low && value <= high) return value;
  }
  return nearest;
}

}  // namespace glassrank
