#include "glassrank/math/studentized_range.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>

namespace glassrank {
namespace {

double normal_lower(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Past this many units of log density below the peak nothing is left in double precision.
constexpr double kNegligible = 45.0;

// P(range of `groups` standard normals >= w). Beyond w/2 +- 9 the integrand is below e^-40 of its
// peak; step 0.1 leaves an error far below rounding for a Gaussian of width 1/sqrt(2).
double normal_range_upper(double w, int groups) {
  constexpr double kStep = 0.1;
  constexpr int kHalfPoints = 92;
  const double power = groups - 1;
  double sum = 0;
  for (int i = -kHalfPoints; i <= kHalfPoints; ++i) {
    const double z = w / 2 + i * kStep;
    const double whole = normal_lower(z);
    if (whole <= 0) continue;
    const double share = std::min(normal_lower(z - w) / whole, 1.0);
    // whole^power - (whole - part)^power
    const double difference = -std::pow(whole, power) * std::expm1(power * std::log1p(-share));
    sum += std::exp(-z * z / 2) * difference;
  }
  return std::min(1.0, groups * kStep * sum / std::sqrt(2 * std::numbers::pi));
}

// Log of the density of t = ln S relative to its peak at t = 0.
double log_density(double t, double degrees) { return degrees * (t - std::expm1(2 * t) / 2); }

// How far from its peak the density of t stays above e^-kNegligible, in the given direction.
double reach(double direction, double degrees) {
  double inside = 0;
  double outside = 1.0;
  while (log_density(direction * outside, degrees) > -kNegligible) outside *= 2;
  for (int i = 0; i < 20; ++i) {
    const double middle = (inside + outside) / 2;
    (log_density(direction * middle, degrees) > -kNegligible ? inside : outside) = middle;
  }
  return outside;
}

}  // namespace

double studentized_range_upper(double q, int groups, double degrees) {
  assert(groups >= 2 && degrees >= 1);
  if (!(q > 0)) return 1.0;
  if (std::isinf(q)) return 0.0;
  // For large w, R(w) falls like e^(-w^2/4), which moves the peak of the product to `shift` and
  // leaves its shape as it was; the true integrand lies between the two extremes.
  const double shift = -0.5 * std::log1p(q * q / (2 * degrees));
  const double low = shift - reach(-1, degrees);
  const double high = reach(+1, degrees);
  const double width = 1 / std::sqrt(2 * degrees);
  const auto steps = static_cast<int>(std::ceil((high - low) / std::min(0.1, width / 3)));
  const double step = (high - low) / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double t = low + i * step;
    sum += std::exp(log_density(t, degrees)) * normal_range_upper(q * std::exp(t), groups);
  }
  const double half = degrees / 2;
  const double peak = 2 * half * boost::math::gamma_p_derivative(half, half);
  return std::clamp(peak * step * sum, 0.0, 1.0);
}

double studentized_range_upper_quantile(double p, int groups, double degrees) {
  assert(p > 0 && p < 1);
  double low = 0;
  double high = 4;
  while (studentized_range_upper(high, groups, degrees) > p) {
    low = high;
    high *= 2;
  }
  std::uintmax_t evaluations = 60;
  const auto excess = [&](double q) { return studentized_range_upper(q, groups, degrees) - p; };
  std::tie(low, high) = boost::math::tools::toms748_solve(
      excess, low, high, boost::math::tools::eps_tolerance<double>(45), evaluations);
  return (low + high) / 2;
}

}  // namespace glassrank
