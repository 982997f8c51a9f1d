#pragma once
// Quantiles of the standard normal for drawing random numbers by the million: Acklam's rational
// approximation, relative error below 1.2e-9. distributions.h has the exact one, at five times the
// cost.

#include <cmath>
#include <limits>

namespace glassrank {

// z with P(Z <= z) = p; minus infinity for 0, infinity for 1.
inline double fast_normal_quantile(double p) {
  constexpr double kTail = 0.02425;
  const auto tail = [](double q) {
    const double t = std::sqrt(-2 * std::log(q));
    return (((((-7.784894002430293e-03 * t - 3.223964580411365e-01) * t - 2.400758277161838) * t -
              2.549732539343734) *
                 t +
             4.374664141464968) *
                t +
            2.938163982698783) /
           ((((7.784695709041462e-03 * t + 3.224671290700398e-01) * t + 2.445134137142996) * t +
             3.754408661907416) *
                t +
            1);
  };
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  if (p < kTail) return tail(p);
  if (p > 1 - kTail) return -tail(1 - p);
  const double q = p - 0.5;
  const double r = q * q;
  return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
            1.383577518672690e+02) *
               r -
           3.066479806614716e+01) *
              r +
          2.506628277459239) *
         q /
         (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
            6.680131188771972e+01) *
               r -
           1.328068155288572e+01) *
              r +
          1);
}

}  // namespace glassrank
