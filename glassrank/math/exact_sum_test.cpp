#include "glassrank/math/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/math/fixed_point.h"
#include "testing/machines.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, LosesNothingThatAnOrderOfAdditionsWouldLose) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1, 1e-300, -1}), 1e-300);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.1, -0.2}), 0);
  EXPECT_EQ(sum_of({-3, 1}), -2);
  EXPECT_EQ(sum_of({5e-324, 5e-324}), 1e-323);
  EXPECT_EQ(sum_of({-5e-324}), -5e-324);
}

// 2^53 + 1 lies between two doubles: to the even one below; any more, and it is the one above.
TEST(ExactSum, IsRoundedOnceToTheNearest) {
  EXPECT_EQ(sum_of({0x1p53, 1}), 0x1p53);
  EXPECT_EQ(sum_of({0x1p53, 1, 1e-300}), 0x1p53 + 2);
  EXPECT_EQ(sum_of({0x1p53, 3}), 0x1p53 + 4);
  EXPECT_EQ(sum_of({-0x1p53, -1, -1e-300}), -0x1p53 - 2);
  EXPECT_EQ(sum_of({0x1p53 - 1, 0.5}), 0x1p53);  // up to a power of two
}

TEST(ExactSum, OverflowsOnlyAtTheEnd) {
  constexpr double kMost = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({kMost, kMost, -kMost}), kMost);
  EXPECT_EQ(sum_of({kMost, kMost}), HUGE_VAL);
  EXPECT_EQ(sum_of({HUGE_VAL, 1}), HUGE_VAL);
  EXPECT_EQ(sum_of({-HUGE_VAL, 1}), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(sum_of({HUGE_VAL, -HUGE_VAL})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1})));
}

TEST(ExactSum, IsTheSumOfIntegersThatFitLongDouble) {
  const CounterRandom random(3, "exact sum");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    ExactSum sum;
    __int128 expected = 0;  // of whole numbers below 2^53, times powers of two up to 2^60
    for (std::uint64_t i = 0; i < 50; ++i) {
      const std::uint64_t at = 100 * trial + i;
      const auto number = static_cast<std::int64_t>(random.bits(2 * at) >> 11) - (1LL << 52);
      const auto shift = static_cast<int>(random.below(2 * at + 1, 60));
      sum.add(std::ldexp(static_cast<double>(number), shift));
      expected += static_cast<__int128>(number) << shift;
    }
    // Conversion rounds to the nearest, ties to even.
    EXPECT_EQ(sum.value(), static_cast<double>(expected));
  }
}

TEST(ExactSum, MachinesGetTheSumOfAll) {
  const CounterRandom random(4, "exact sum");
  std::vector<double> values(999);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = random.normal(i) * std::exp(20 * random.uniform(5000 + i));
  }
  testing::on_machines(3, [&](const std::shared_ptr<const Communicator>& machines) {
    std::vector<ExactSum> sums(2);
    for (std::size_t i = 0; i < 333; ++i) {
      const double value = values[333 * static_cast<std::size_t>(machines->rank()) + i];
      sums[0].add(value);
      sums[1].add(-value);
    }
    add_up(sums, *machines);
    EXPECT_EQ(sums[0].value(), sum_of(values));
    EXPECT_EQ(sums[1].value(), -sum_of(values));
  });
}

TEST(FloatSums, AreExactOverAllOfFloat32) {
  const CounterRandom random(5, "float sums");
  FloatSums sums;
  ExactSum gradients;
  ExactSum hessians;
  std::vector<float> values = {0.0F,
                               -0.0F,
                               std::numeric_limits<float>::denorm_min(),
                               -std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::min(),
                               std::numeric_limits<float>::max(),
                               -std::numeric_limits<float>::max(),
                               1.0F};
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits(i)));
    if (std::isfinite(value)) values.push_back(value);
  }
  for (const float value : values) {
    sums.add(value, std::abs(value));
    gradients.add(value);
    hessians.add(std::abs(value));
    ASSERT_EQ(sums.gradient(), gradients.value());
  }
  EXPECT_EQ(sums.hessian(), hessians.value());
}

// Of rows in blocks: of one binade, of many, of all, with zeros and subnormal numbers; leaves of
// any size. Compared with row by row.
TEST_ON_EVERY_TARGET(FloatSums, OfRowsAreThoseOfEveryRow) {
  const CounterRandom random(6, "float sums");
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    const std::size_t count = trial < 20 ? trial * 7 : 1 + random.below(trial, 5000);
    const double lowest = random.uniform(1000 + trial) * 250;
    const double width = trial % 6 == 5 ? 254 - lowest : random.uniform(2000 + trial) * 80;
    std::vector<float> gradients(count);
    std::vector<float> hessians(count);
    std::vector<std::uint32_t> rows;
    FloatSums expected;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t at = 10'000 * (trial + 1) + 2 * i;
      const auto exponent =
          static_cast<std::uint32_t>(std::clamp(lowest + width * random.uniform(at), 0.0, 254.0));
      const auto bits = static_cast<std::uint32_t>(random.bits(at + 1));
      gradients[i] = std::bit_cast<float>((bits & 0x807fffffU) | exponent << 23);
      hessians[i] = i % 7 == 0 ? 0.0F : std::abs(gradients[i]);
      if (i % 5 == 3) continue;
      rows.push_back(static_cast<std::uint32_t>(i));
      expected.add(gradients[i], hessians[i]);
    }
    FloatSums sums;
    sums.add(rows, gradients.data(), hessians.data());
    EXPECT_EQ(sums.gradient(), expected.gradient()) << trial;
    EXPECT_EQ(sums.hessian(), expected.hessian()) << trial;
  }
}

TEST(FixedPoint, SumsOfTheGreatestFit) {
  for (const double greatest : {1e-300, 1e-3, 1.0, 1.5, 3.4e38, 1e300}) {
    for (const std::uint64_t count : {1ULL, 3ULL, 1000ULL, 4294967295ULL}) {
      const FixedPoint units(greatest, count);
      EXPECT_LE(static_cast<double>(units.to_units(greatest)) * static_cast<double>(count),
                0x1p62 * 1.0001);
      EXPECT_GE(static_cast<double>(units.to_units(greatest)) * static_cast<double>(count) * 4.01,
                greatest > 1e-200 && greatest < 1e200 ? 0x1p62 : 0);
    }
  }
  EXPECT_EQ(FixedPoint(0, 5).to_units(0), 0);
  const FixedPoint units(10, 100);
  EXPECT_EQ(units.to_real(units.to_units(0.75)), 0.75);
}

TEST(FixedPoint, QuickUnitsAreTheSame) {
  RandomSequence random(CounterRandom(3, "quick units"));
  for (const double greatest : {1e-30, 1.0, 3e38}) {
    const FixedPoint units(greatest, FixedPoint::kQuickCount);
    for (int i = 0; i < 1000; ++i) {
      const double x = greatest * (2 * random.uniform() - 1) * std::ldexp(1.0, -(i % 60));
      EXPECT_EQ(units.to_units_quickly(x), units.to_units(x)) << x;
    }
    for (const double x : {greatest, -greatest, 0.0, 0.5 / units.up(), 1.5 / units.up()}) {
      EXPECT_EQ(units.to_units_quickly(x), units.to_units(x)) << x;
    }
  }
}

}  // namespace
}  // namespace glassrank
