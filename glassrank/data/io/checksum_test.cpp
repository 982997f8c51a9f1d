#include "glassrank/data/io/checksum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

std::vector<char> random_bytes(std::size_t size) {
  const CounterRandom random(5, "bytes");
  std::vector<char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(random.bits(i));
  return bytes;
}

// Files live longer than programs. The numbers come from a separate implementation in Python.
TEST(Checksum, IsFixedForEver) {
  EXPECT_EQ(checksum(std::vector<char>{'a'}), 0xa552595c937b20f3ULL);
  std::vector<char> bytes(1'500'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  EXPECT_EQ(checksum(bytes), 0x1e3a755818ab8634ULL);
}

TEST(Checksum, ChangesWithEverySingleBit) {
  for (const std::size_t size : {1U, 8U, 64U, 65U, 200U}) {
    std::vector<char> bytes = random_bytes(size);
    const std::uint64_t sum = checksum(bytes);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      EXPECT_NE(checksum(bytes), sum);
      bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    }
  }
}

TEST(Checksum, ChangesWhenTheSameBitFlipsInTwoWordsOfALane) {
  std::vector<char> bytes = random_bytes(4096);
  const std::uint64_t sum = checksum(bytes);
  for (std::size_t bit = 0; bit < 64; ++bit) {
    for (const std::size_t place : {0U, 64U})
      bytes[place + bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_NE(checksum(bytes), sum);
    for (const std::size_t place : {0U, 64U})
      bytes[place + bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

TEST(Checksum, ChangesWithZerosAtTheEndAndWithSwappedBlocks) {
  std::vector<char> bytes(100);
  const std::uint64_t sum = checksum(bytes);
  bytes.push_back(0);
  EXPECT_NE(checksum(bytes), sum);
  std::vector<char> two_blocks(std::size_t{2} << 20);
  two_blocks[0] = 1;
  const std::uint64_t first = checksum(two_blocks);
  two_blocks[0] = 0;
  two_blocks[std::size_t{1} << 20] = 1;
  EXPECT_NE(checksum(two_blocks), first);
}

TEST(Checksums, OfManyRangesAreTheSingleOnesForAnyThreads) {
  const std::vector<char> bytes = random_bytes(3'000'000);
  const std::span<const char> all = bytes;
  const std::vector<std::span<const char>> ranges = {all, all.first(0), all.subspan(17, 99),
                                                     all.first(std::size_t{1} << 20)};
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    const auto sums = checksums(ranges, context);
    ASSERT_EQ(sums.size(), ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) EXPECT_EQ(sums[i], checksum(ranges[i]));
  }
}

// Pieces of random sizes, from a few bytes to several blocks, in random order.
TEST(PieceChecksum, IsTheChecksumWhateverThePiecesAndThreads) {
  for (const std::size_t size : {0, 1, 70, 1 << 20, (1 << 20) + 1, 5'000'003}) {
    const std::vector<char> bytes = random_bytes(size);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      RandomSequence random(CounterRandom(seed, "pieces"));
      std::vector<std::pair<std::size_t, std::size_t>> pieces;
      for (std::size_t begin = 0; begin < size; begin = pieces.back().second) {
        const std::size_t most = std::size_t{1} << (10 + random.below(12));
        pieces.emplace_back(begin, std::min(size, begin + 1 + random.below(most)));
      }
      random.shuffle(pieces);
      const Threads threads(1 << seed % 3);
      PieceChecksum sum(size);
      threads.run(pieces.size(), [&](std::size_t i) {
        const auto [begin, end] = pieces[i];
        sum.add(begin, std::span(bytes).subspan(begin, end - begin));
      });
      EXPECT_EQ(sum.sum(), checksum(bytes));
    }
  }
}

}  // namespace
}  // namespace glassrank
