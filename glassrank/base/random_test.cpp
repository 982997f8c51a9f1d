#include "glassrank/base/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "testing/on_every_target.h"

namespace glassrank {
namespace {

TEST(CounterRandom, IsAPureFunctionOfSeedStreamLaneAndCounter) {
  const CounterRandom a(1, "purpose", 7);
  EXPECT_EQ(a.bits(5), CounterRandom(1, "purpose", 7).bits(5));
  EXPECT_NE(a.bits(5), a.bits(6));
  EXPECT_NE(a.bits(5), CounterRandom(2, "purpose", 7).bits(5));
  EXPECT_NE(a.bits(5), CounterRandom(1, "other", 7).bits(5));
  EXPECT_NE(a.bits(5), CounterRandom(1, "purpose", 8).bits(5));
}

// The known answers published with the generator.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, GivesManyBlocksAsItGivesOne) {
  // Counters cross a border of 32 bits; every length up to a few vectors.
  const CounterRandom random(5, "bytes", 0x123456789abcdefULL);
  for (const std::uint64_t first : {0ULL, 0xfffffffdULL, 1ULL << 40U}) {
    std::vector<std::uint8_t> expected;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto block = std::bit_cast<std::array<std::uint8_t, 16>>(random.block(first + i));
      expected.insert(expected.end(), block.begin(), block.end());
    }
    on_every_target([&] {
      for (std::size_t size = 0; size <= expected.size(); ++size) {
        std::vector<std::uint8_t> bytes(size);
        random.bytes(first, bytes);
        EXPECT_TRUE(std::ranges::equal(bytes, std::span(expected).first(size))) << size;
      }
    });
  }
}

// Fixed for ever: models and splits made with a seed must stay reproducible.
TEST(CounterRandom, KeepsItsSequence) {
  const CounterRandom random(42, "golden");
  EXPECT_EQ(random.bits(0), 1461162471918243393ULL);
  EXPECT_EQ(random.bits(1), 5959245981422183682ULL);
}

TEST(CounterRandom, UniformAndNormalHaveTheirMoments) {
  const CounterRandom random(3, "moments");
  constexpr int kDraws = 200'000;
  double sum = 0;
  double normal_sum = 0;
  double normal_squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    const double z = random.normal(i);
    normal_sum += z;
    normal_squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.003);
  EXPECT_NEAR(normal_sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(normal_squares / kDraws, 1.0, 0.015);
}

TEST(CounterRandom, BelowHitsEveryValueEquallyOften) {
  const CounterRandom random(4, "below");
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(i, 7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(RandomSequence, ShuffleIsAPermutationThatMixes) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  auto shuffled = items;
  RandomSequence(CounterRandom(5, "shuffle")).shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace glassrank
