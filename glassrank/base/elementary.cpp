#include "glassrank/base/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// ln 2 in two parts; the first one ends in 32 zero bits, so its product with a small whole number
// is exact.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
// Added to a number below 2^51 it leaves the nearest whole number, ties to even.
constexpr double kRounder = 0x1.8p52;

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

constexpr int kSteps = 32;

// 2^(i / kSteps), and what is missing to the true value.
struct Power {
  double value;
  double rest;
};
constexpr Power kPowers[kSteps] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
};

// 2^(steps / kSteps) e^(high - low), |high - low| <= ln 2 / (2 kSteps).
double exp_of(int steps, double high, double low) {
  const double r = high - low;
  const double r2 = r * r;
  const double series =
      (0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));
  const double above_one = r + (r2 * series + ((high - r) - low));
  const Power power = kPowers[steps & (kSteps - 1)];
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
  const double steps = round_to_whole(x * (kSteps * std::numbers::log2e));
  return exp_of(static_cast<int>(steps), x - steps * (kLn2High / kSteps),
                steps * (kLn2Low / kSteps));
}

double portable_exp2(double x) {
  if (!(x < 1025)) return x * kInfinity;
  if (x < -1080) return 0;
  const double steps = round_to_whole(x * kSteps);
  return exp_of(static_cast<int>(steps), (x - steps / kSteps) * std::numbers::ln2, 0);
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
