#include "glassrank/methods/training/bags.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

QueryGroups queries_of(std::size_t count, std::size_t size) {
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < count; ++q) ids.push_back(std::to_string(q));
  return {ids, std::vector<std::size_t>(count, size)};
}

TEST(Bags, HoldOutWholeQueries) {
  const QueryGroups queries = queries_of(20, 5);
  const BagSplitRows rows = split_bag(queries, {.share = 0.15}, 1, 0);
  EXPECT_EQ(rows.held_out.size(), 15U);  // round(.15 * 20) queries of 5 rows
  EXPECT_EQ(rows.train.size(), 85U);
  for (const std::uint32_t row : rows.held_out) {
    for (std::uint32_t other = row / 5 * 5; other < row / 5 * 5 + 5; ++other) {
      EXPECT_TRUE(std::ranges::binary_search(rows.held_out, other));
      EXPECT_FALSE(std::ranges::binary_search(rows.train, other));
    }
  }
}

TEST(Bags, HoldOutSingleRowsIfAsked) {
  const BagSplitRows rows =
      split_bag(queries_of(20, 5), {.split = BagSplit::kRow, .share = 0.15}, 1, 0);
  EXPECT_EQ(rows.held_out.size(), 15U);
  std::size_t torn = 0;
  for (const std::uint32_t row : rows.held_out) {
    torn += std::ranges::binary_search(rows.train, row / 5 * 5) ? 1 : 0;
  }
  EXPECT_GT(torn, 0U);
}

TEST(Bags, DifferByNumberAndSeedAndAreTheSameAgain) {
  const QueryGroups queries = queries_of(40, 2);
  const auto held_out = [&](std::uint64_t seed, std::size_t bag) {
    return split_bag(queries, {.share = 0.15}, seed, bag).held_out;
  };
  EXPECT_EQ(held_out(1, 2), held_out(1, 2));
  EXPECT_NE(held_out(1, 2), held_out(1, 3));
  EXPECT_NE(held_out(1, 2), held_out(2, 2));
}

TEST(Bags, KeepSomethingOnEitherSide) {
  const QueryGroups two = queries_of(2, 3);
  EXPECT_EQ(split_bag(two, {.share = 0.01}, 1, 0).held_out.size(), 3U);
  EXPECT_EQ(split_bag(two, {.share = 0.99}, 1, 0).train.size(), 3U);
  EXPECT_TRUE(split_bag(two, {.share = 0}, 1, 0).held_out.empty());
}

TEST(Bags, NeedTwoQueries) {
  EXPECT_EQ(message_of([] { split_bag(queries_of(1, 9), {.share = 0.15}, 1, 0); }),
            "the training data has 1 query; a bag needs two, one of them to hold out");
  EXPECT_EQ(
      split_bag(queries_of(1, 9), {.split = BagSplit::kRow, .share = 0.15}, 1, 0).held_out.size(),
      1U);
}

}  // namespace
}  // namespace glassrank
