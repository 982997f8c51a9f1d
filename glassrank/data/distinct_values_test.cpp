#include "glassrank/data/distinct_values.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The oracle: a tree of counts.
void expect_same_as_map(const std::vector<float>& column) {
  std::map<float, std::size_t> counts;  // -0 and +0 are one key
  for (const float value : column) {
    if (!std::isnan(value)) ++counts[value];
  }
  const DistinctValues distinct(column);
  ASSERT_EQ(distinct.size(), counts.size());
  std::size_t i = 0;
  std::size_t end = 0;
  for (const auto& [value, count] : counts) {
    end += count;
    ASSERT_EQ(distinct.values()[i], value);
    ASSERT_EQ(distinct.ends()[i], end);
    ++i;
  }
  EXPECT_EQ(distinct.num_rows(), end);
}

TEST_ON_EVERY_TARGET(DistinctValues, AreCountedInAscendingOrder) {
  const DistinctValues distinct(std::vector<float>{2, -1, 0, kNan, 2, -0.0F, 2});
  ASSERT_EQ(distinct.size(), 3U);
  EXPECT_EQ(distinct.values()[0], -1.0F);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(distinct.values()[1]), 0U);  // +0
  EXPECT_EQ(distinct.values()[2], 2.0F);
  EXPECT_EQ(distinct.ends()[0], 1U);
  EXPECT_EQ(distinct.ends()[1], 3U);
  EXPECT_EQ(distinct.ends()[2], 6U);
}

TEST_ON_EVERY_TARGET(DistinctValues, AreNoneWhenAllIsMissing) {
  EXPECT_EQ(DistinctValues(std::vector<float>{kNan, kNan}).size(), 0U);
  EXPECT_EQ(DistinctValues(std::vector<float>{}).num_rows(), 0U);
}

TEST_ON_EVERY_TARGET(DistinctValues, OfAnyBitsAgreeWithAMap) {
  const CounterRandom random(1, "bits");
  for (const std::size_t size : {10U, 1999U, 2000U, 30'000U}) {
    std::vector<float> column;
    for (std::size_t i = 0; i < size; ++i) {
      column.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.bits(i))));
    }
    expect_same_as_map(column);
  }
}

TEST_ON_EVERY_TARGET(DistinctValues, OfFewLevelsAgreeWithAMap) {
  const CounterRandom random(2, "levels");
  for (const std::uint64_t levels : {1U, 2U, 5000U}) {
    std::vector<float> column;
    for (std::size_t i = 0; i < 10'000; ++i) {
      column.push_back(static_cast<float>(random.below(i, levels)) - 2.0F);
    }
    expect_same_as_map(column);
  }
}

}  // namespace
}  // namespace glassrank
