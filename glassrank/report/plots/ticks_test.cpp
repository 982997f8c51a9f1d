#include "glassrank/report/plots/ticks.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glassrank {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks) texts.push_back(tick.label);
  return texts;
}

using Labels = std::vector<std::string>;

TEST(LinearTicks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(labels(linear_ticks(0, 1, 6)), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(1, 1000, 5)), (Labels{"200", "400", "600", "800", "1,000"}));
  EXPECT_EQ(labels(linear_ticks(-3, 7, 3)), (Labels{"0", "5"}));
  EXPECT_EQ(labels(linear_ticks(0.70011, 0.70019, 5)),
            (Labels{"0.70012", "0.70014", "0.70016", "0.70018"}));
}

TEST(LinearTicks, OfWholeThingsAreWhole) {
  EXPECT_EQ(labels(linear_ticks(1, 3, 10, true)), (Labels{"1", "2", "3"}));
  EXPECT_EQ(labels(linear_ticks(4.75, 5.25, 10, true)), (Labels{"5"}));
}

RC_GTEST_PROP(LinearTicks, AreFewAndAscendWithinTheRange, ()) {
  const double low = *rc::gen::inRange(-100000, 100000) / 7.0;
  const double high = low + *rc::gen::inRange(1, 1000000) / 13.0;
  const auto most = *rc::gen::inRange<std::size_t>(2, 12);
  const std::vector<Tick> ticks = linear_ticks(low, high, most);
  RC_ASSERT(ticks.size() <= most);
  RC_ASSERT(!ticks.empty());
  for (std::size_t t = 0; t < ticks.size(); ++t) {
    RC_ASSERT(ticks[t].value >= low - 1e-6 * std::abs(low));
    RC_ASSERT(ticks[t].value <= high + 1e-6 * std::abs(high));
    if (t > 0) RC_ASSERT(ticks[t].value > ticks[t - 1].value);
  }
}

TEST(LogTicks, ArePowersOfTenWithTwosAndFivesWhereThereIsRoom) {
  EXPECT_EQ(labels(log_ticks(1, 100, 8)), (Labels{"1", "2", "5", "10", "20", "50", "100"}));
  EXPECT_EQ(labels(log_ticks(1, 10000, 6)), (Labels{"1", "10", "100", "1,000", "10,000"}));
  EXPECT_EQ(labels(log_ticks(0.001, 1e5, 4)), (Labels{"0.001", "1", "1,000"}));
}

TEST(LogTicks, OfANarrowRangeAreLinear) {
  EXPECT_EQ(labels(log_ticks(61, 69, 5)), (Labels{"62", "64", "66", "68"}));
}

TEST(TickLabel, GroupsThousandsAndKeepsTheSignOfNumbersOnly) {
  EXPECT_EQ(tick_label(1234567, 0), "1,234,567");
  EXPECT_EQ(tick_label(-1234.5, 1), "-1,234.5");
  EXPECT_EQ(tick_label(-0.001, 1), "0.0");
  EXPECT_EQ(tick_label(123, 0), "123");
  EXPECT_EQ(tick_label(2.5e8, 0), "2.5e+08");
}

TEST(Usable, MakesARangeOfAnything) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(usable({kInfinity, -kInfinity}).high, 1);
  EXPECT_EQ(usable({0, 0}).low, -0.5);
  EXPECT_EQ(usable({10, 10}).high, 10.5);
  EXPECT_EQ(usable({2, 3}).low, 2);
}

TEST(Rounded, EndsAtTicks) {
  EXPECT_DOUBLE_EQ(rounded({0.123, 0.578}, 6).low, 0.1);
  EXPECT_DOUBLE_EQ(rounded({0.123, 0.578}, 6).high, 0.6);
}

TEST(Scale, MapsLinearlyOrByLogarithm) {
  const Scale linear{.values = {0, 10}, .from = 100, .to = 0};
  EXPECT_EQ(linear(2.5), 75);
  const Scale log{.values = {1, 100}, .from = 0, .to = 10, .log = true};
  EXPECT_DOUBLE_EQ(log(10), 5);
}

}  // namespace
}  // namespace glassrank
