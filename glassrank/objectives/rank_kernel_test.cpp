#include "glassrank/objectives/rank_kernel.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

std::vector<std::uint32_t> ranked(const std::vector<float>& keys) {
  std::vector<std::uint64_t> scratch(keys.size());
  std::vector<std::uint32_t> order(keys.size());
  rank_descending(keys, scratch.data(), order.data());
  return order;
}

std::vector<std::uint32_t> sorted(const std::vector<float>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return keys[i]; });
  return order;
}

TEST_ON_EVERY_TARGET(RankDescending, IsAStableSort) {
  for (const std::size_t n :
       {1, 2, 7, 16, 31, 32, 33, 40, 64, 120, 255, 256, 257, 500, 513, 2000}) {
    const CounterRandom random(n, "rank_test");
    std::vector<float> few(n), many(n);
    for (std::size_t i = 0; i < n; ++i) {
      few[i] = static_cast<float>(random.below(i, n / 2 + 1)) - 3;
      many[i] = static_cast<float>(random.uniform(n + i)) * 160 - 80;
    }
    EXPECT_EQ(ranked(few), sorted(few)) << n;
    EXPECT_EQ(ranked(many), sorted(many)) << n;
  }
}

TEST_ON_EVERY_TARGET(RankDescending, TellsKeysApartThatShareACode) {
  std::vector<float> keys(200);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<float>(i % 17) * 1e-6F;
  keys[100] = 80;  // 16 bits from 0 to 80 are steps of 0.001
  EXPECT_EQ(ranked(keys), sorted(keys));
}

TEST_ON_EVERY_TARGET(RankDescending, KeepsEqualKeysInOrder) {
  std::vector<float> keys(200, 1.5F);
  EXPECT_EQ(ranked(keys), sorted(keys));
  keys[199] = -keys[0];
  keys[3] = 0.0F;
  keys[9] = -0.0F;
  EXPECT_EQ(ranked(keys), sorted(keys));
}

TEST_ON_EVERY_TARGET(RankDescending, WorksAtTheEndsOfFloat) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float huge = std::numeric_limits<float>::max();
  const std::vector<float> close = {tiny, 0, 2 * tiny, -tiny, tiny};
  const std::vector<float> far = {-huge, huge, 0, huge, -1, -huge, 1};
  EXPECT_EQ(ranked(close), sorted(close));
  EXPECT_EQ(ranked(far), sorted(far));
}

}  // namespace
}  // namespace glassrank
