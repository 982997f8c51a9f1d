#include "glassrank/boosting/sampling/pick_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kSizes[] = {0, 1, 7, 8, 15, 16, 17, 100, 333};

// Halves from 0 to 4 and some that are no values; room behind them.
std::vector<double> random_values(std::size_t n) {
  std::vector<double> values(n + kPickPadding);
  for (std::size_t i = 0; i < n; ++i) {
    const auto drawn = CounterRandom(6, "within").below(i, 10);
    values[i] = drawn == 9 ? kNone : 0.5 * static_cast<double>(drawn);
  }
  return values;
}

// The indices for which it holds.
template <typename Holds>
std::vector<std::uint64_t> indices_where(std::span<const double> values, const Holds& holds) {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (holds(values[i])) found.push_back(i);
  }
  return found;
}

TEST(FindOutside, FindsWhatALoopFinds) {
  for (const std::size_t n : kSizes) {
    const std::vector<double> padded = random_values(n);
    const std::span<const double> values(padded.data(), n);
    const auto plain = indices_where(values, [](double v) { return v <= 1 || v >= 3.5; });
    on_every_target([&] {
      std::vector<std::uint64_t> found(n + kPickPadding);
      found.resize(find_outside(values, {.low = 1, .high = 3.5}, found.data()));
      EXPECT_EQ(found, plain);
    });
  }
}

TEST(FindNotWithin, FindsWhatALoopFinds) {
  for (const std::size_t n : kSizes) {
    const std::vector<double> padded = random_values(n);
    const std::span<const double> values(padded.data(), n);
    const auto plain = indices_where(values, [](double v) { return !(v > 1 && v <= 3); });
    on_every_target([&] {
      std::vector<std::uint32_t> found(n + kPickPadding);
      found.resize(find_not_within(values, {.low = 1, .high = 3}, found.data()));
      EXPECT_EQ(std::vector<std::uint64_t>(found.begin(), found.end()), plain);
    });
  }
}

// Random values, many of them equal, with far ones that make halving slow.
TEST(SeparateHighest, DividesAsManyAsAsked) {
  for (const std::uint64_t num_values : {1, 3, 20, 1'000'000}) {
    for (const std::size_t n : {3, 7, 8, 9, 100, 333}) {
      std::vector<double> values(n + kPickPadding);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<double>(CounterRandom(n, "separate").below(i, num_values));
      }
      values[0] *= 1e300;
      values[n / 2] = kNone;
      const std::span<const double> list(values.data(), n);
      for (std::size_t count = 1; count + 1 < n; ++count) {
        const ValueBorder border = separate_highest(list, count);
        const auto above = std::ranges::count_if(list, [&](double v) { return v > border.value; });
        const auto equal = std::ranges::count(list, border.value);
        ASSERT_EQ(static_cast<std::size_t>(above) + border.num_equal, count);
        ASSERT_LE(border.num_equal, static_cast<std::size_t>(equal));
      }
    }
  }
}

TEST(SeparateHighest, FindsTheSameBorderWithEveryInstructionSet) {
  for (const std::size_t n : {16, 17, 100, 333}) {
    const std::vector<double> padded = random_values(n);
    const std::span<const double> values(padded.data(), n);
    for (const std::size_t count : {1, 3, 9}) {
      const ValueBorder border = separate_highest(values, count);
      on_every_target([&] {
        const ValueBorder other = separate_highest(values, count);
        EXPECT_EQ(other.value, border.value);
        EXPECT_EQ(other.num_equal, border.num_equal);
      });
    }
  }
}

// Of the values equal to 1.5 the second to the fourth, and all from the third on.
TEST(LoseEqual, LosesWhatALoopLoses) {
  for (const std::size_t n : kSizes) {
    for (const NumberRange lost : {NumberRange{0, 0}, NumberRange{1, 4}, NumberRange{2, n}}) {
      std::vector<double> plain = random_values(n);
      std::size_t number = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (plain[i] != 1.5) continue;
        if (number >= lost.begin && number < lost.end) plain[i] = kNone;
        ++number;
      }
      on_every_target([&] {
        std::vector<double> values = random_values(n);
        lose_equal({values.data(), n}, 1.5, lost);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const bool is_same = std::isnan(plain[i]) ? std::isnan(values[i]) : values[i] == plain[i];
          EXPECT_TRUE(is_same) << n << ' ' << i;
        }
      });
    }
  }
}

}  // namespace
}  // namespace glassrank
