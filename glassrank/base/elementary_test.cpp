#include "glassrank/base/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// How many numbers apart the result is from the true value, which long double has to 64 bits.
double units_off(double value, long double truth) {
  const double near = static_cast<double>(truth);
  const double unit = std::nextafter(std::abs(near), kInfinity) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) /
                             static_cast<long double>(unit));
}

double between(std::uint64_t i, double low, double high) {
  return low + (high - low) * CounterRandom(1, "elementary").uniform(i);
}

TEST(Elementary, ExpIsRightToTheLastPlace) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const double x = between(i, i % 2 == 0 ? -700 : -1, i % 2 == 0 ? 700 : 1);
    worst = std::max(worst, units_off(portable_exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-0.0), 1);
  EXPECT_EQ(portable_exp(-kInfinity), 0);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
  EXPECT_EQ(portable_exp(710), kInfinity);
  EXPECT_TRUE(std::isfinite(portable_exp(709.78)));
  EXPECT_GT(portable_exp(-745.1), 0);
  EXPECT_NEAR(portable_exp(-740) / std::exp(-740.0), 1, 1e-3);  // subnormal: few bits
  EXPECT_EQ(portable_exp(-800), 0);
  EXPECT_TRUE(std::isnan(portable_exp(kNan)));
}

TEST_ON_EVERY_TARGET(Elementary, ExpOfManyIsExpOfEachToTheBit) {
  std::vector<double> values = {0, -0.0, 700.5, -700.5, -745.1, 1e-300};
  for (std::uint64_t i = 0; i < 20'003; ++i) {
    values.push_back(between(i, i % 2 == 0 ? -705 : -1, i % 2 == 0 ? 705 : 1));
  }
  for (const double odd : {kInfinity, -kInfinity, kNan, 1e9}) values.push_back(odd);
  std::vector<double> found = values;
  portable_exp_all(found);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found[i]),
              std::bit_cast<std::uint64_t>(portable_exp(values[i])))
        << values[i];
  }
}

TEST(Elementary, Exp2IsRightAndExactForWholeNumbers) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double x = between(i, -1000, 1000);
    worst = std::max(worst, units_off(portable_exp2(x), std::exp2(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.5);
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(portable_exp2(n), std::ldexp(1.0, n)) << n;
  EXPECT_EQ(portable_exp2(1024), kInfinity);
  EXPECT_EQ(portable_exp2(kInfinity), kInfinity);
  EXPECT_EQ(portable_exp2(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(portable_exp2(kNan)));
}

TEST(Elementary, LogIsRightToTheLastPlace) {
  double worst = 0;
  double worst2 = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    double x = between(i, 0.5, 2);
    if (i % 3 == 0) x = std::bit_cast<double>(CounterRandom(2, "bits").bits(i) >> 2);
    if (i % 3 == 1) x = 1 + between(i, -1e-3, 1e-3);
    worst = std::max(worst, units_off(portable_log(x), std::log(static_cast<long double>(x))));
    worst2 = std::max(worst2, units_off(portable_log2(x), std::log2(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_LT(worst2, 2.0);
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(portable_log2(std::ldexp(1.0, n)), n);
  for (const auto log : {portable_log, portable_log2}) {
    EXPECT_EQ(log(1), 0);
    EXPECT_EQ(log(0), -kInfinity);
    EXPECT_EQ(log(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(log(-1)));
    EXPECT_TRUE(std::isnan(log(kNan)));
  }
}

TEST(Elementary, Log1pKeepsSmallNumbers) {
  double worst = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    double x = between(i, 0, 10);
    if (i % 2 == 0) x = std::ldexp(x, -static_cast<int>(i % 100));
    worst = std::max(worst, units_off(portable_log1p(x), std::log1p(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 2.0);
  EXPECT_EQ(portable_log1p(0), 0);
  EXPECT_EQ(portable_log1p(-1), -kInfinity);
  EXPECT_EQ(portable_log1p(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_log1p(-2)));
}

TEST(Elementary, CosineOfTurns) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double u = between(i, 0, 1);
    const long double truth =
        std::cos(2 * std::numbers::pi_v<long double> * static_cast<long double>(u));
    EXPECT_NEAR(portable_cos_turn(u), static_cast<double>(truth), 3e-16) << u;
  }
  EXPECT_EQ(portable_cos_turn(0), 1);
  EXPECT_EQ(portable_cos_turn(0.25), 0);
  EXPECT_EQ(portable_cos_turn(0.5), -1);
  EXPECT_EQ(portable_cos_turn(0.75), 0);
}

// Bits written down: whoever gets others trains other models.
TEST(Elementary, BitsAreThoseOfEveryMachine) {
  std::uint64_t digest = 0;
  const auto add = [&](double value) {
    digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x9e37'79b9'7f4a'7c15;
    digest ^= digest >> 29;
  };
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const double u = CounterRandom(3, "digest").uniform(i);
    add(portable_exp(100 * u - 50));
    add(portable_exp2(100 * u - 50));
    add(portable_log(u));
    add(portable_log2(u));
    add(portable_log1p(u));
    add(portable_cos_turn(u));
  }
  EXPECT_EQ(digest, 12'917'239'042'259'473'682U);
}

}  // namespace
}  // namespace glassrank
