#include "glassrank/base/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "glassrank/base/exp_steps.h"

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double round_to_whole(double x) { return (x + kRounder) - kRounder; }

// 2^n, -1022 <= n <= 1023.
double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

// value * 2^n, 1/2 <= value <= 2, also where the result is subnormal.
double scaled(double value, int n) {
  if (n > 1023) return value * 2 * power_of_two(n - 1);
  if (n < -1022) return value * power_of_two(n + 60) * power_of_two(-60);
  return value * power_of_two(n);
}

// 2^(steps / kExpSteps) e^(high - low), |high - low| <= ln 2 / (2 kExpSteps).
double exp_of(int steps, double high, double low) {
  const double r = high - low;
  const double r2 = r * r;
  const double series =
      (0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));
  const double above_one = r + (r2 * series + ((high - r) - low));
  const ExpPower power = kExpPowers[steps & (kExpSteps - 1)];
  const double value = power.value + (power.value * above_one + power.rest);
  return scaled(value, steps >> 5);
}

struct Parts {
  double exponent;  // k
  double rest;      // log(m), sqrt(1/2) <= m < sqrt(2), without its leading term f = m - 1
  double f;
};

// For finite x > 0; log(m) = f - rest.
Parts log_parts(double x) {
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    k = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) | 0x3ff0'0000'0000'0000);
  if (m >= std::numbers::sqrt2) {
    m *= 0.5;
    ++k;
  }
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double series = 0;
  for (int i = 10; i >= 1; --i) series = z * (2.0 / (2 * i + 1) + series);
  // 2 s = f - s f, so log(m) = f - s (f - series) = f - (f^2 / 2 - s (f^2 / 2 + series)).
  const double half = 0.5 * f * f;
  return {static_cast<double>(k), half - s * (half + series), f};
}

// What is not a finite number above 0.
double odd_log(double x) {
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  return std::numeric_limits<double>::quiet_NaN();
}

bool is_ordinary(double x) { return x > 0 && x < kInfinity; }

}  // namespace

double portable_exp(double x) {
  if (!(x <= 709.79)) return x * kInfinity;  // NaN stays NaN
  if (x < -745.2) return 0;
  const double steps = round_to_whole(x * (kExpSteps * std::numbers::log2e));
  return exp_of(static_cast<int>(steps), x - steps * (kLn2High / kExpSteps),
                steps * (kLn2Low / kExpSteps));
}

double portable_exp2(double x) {
  if (!(x < 1025)) return x * kInfinity;
  if (x < -1080) return 0;
  const double steps = round_to_whole(x * kExpSteps);
  return exp_of(static_cast<int>(steps), (x - steps / kExpSteps) * std::numbers::ln2, 0);
}

double portable_log(double x) {
  if (!is_ordinary(x)) return odd_log(x);
  const Parts p = log_parts(x);
  return p.exponent * kLn2High - ((p.rest - p.exponent * kLn2Low) - p.f);
}

double portable_log2(double x) {
  if (!is_ordinary(x)) return odd_log(x);
  const Parts p = log_parts(x);
  return p.exponent + (p.f - p.rest) * std::numbers::log2e;
}

double portable_log1p(double x) {
  const double u = 1.0 + x;
  if (!is_ordinary(u)) return odd_log(u);
  // What the sum lost, to first order.
  return portable_log(u) + (x - (u - 1.0)) / u;
}

double portable_cos_turn(double u) {
  const double t = u <= 0.5 ? u : 1.0 - u;  // the second half turn mirrors the first
  const double quarter = t <= 0.25 ? t : 0.5 - t;
  const double sign = t <= 0.25 ? 1 : -1;
  const bool is_cosine = quarter <= 0.125;
  const double a = 2 * std::numbers::pi * (is_cosine ? quarter : 0.25 - quarter);
  const double z = a * a;
  double series = 1;
  // 1 - z / (1 * 2) (1 - z / (3 * 4) (...)), and the same with odd factors for the sine.
  const int odd = is_cosine ? 0 : 1;
  for (int i = 16; i >= 2; i -= 2) series = 1 - z / ((i - 1 + odd) * (i + odd)) * series;
  return sign * (is_cosine ? series : a * series);
}

}  // namespace glassrank
