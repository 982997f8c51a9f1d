#include "glassrank/methods/ebm/lanes.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// Six rows; the first bag holds out 1 and 2, the second 2 and 5.
const BagSplitRows kFirst{.train = {0, 3, 4, 5}, .held_out = {1, 2}};
const BagSplitRows kSecond{.train = {0, 1, 3, 4}, .held_out = {2, 5}};

TEST(Lanes, RowsWithTheSameRolesLieTogether) {
  const BagSplitRows* bags[] = {&kFirst, &kSecond};
  const LaneOrder order = order_lanes(bags, 6, {});
  EXPECT_EQ(order.rows, (std::vector<std::uint32_t>{0, 3, 4, 1, 5, 2}));
  EXPECT_EQ(order.num_train, 6U);
  const std::vector<LaneSegment> expected = {
      {.begin = 0, .end = 3, .trains = {true, true}},
      {.begin = 3, .end = 4, .trains = {false, true}, .judges = {true, false}},
      {.begin = 4, .end = 5, .trains = {true, false}, .judges = {false, true}},
      {.begin = 5, .end = 6, .judges = {true, true}}};
  EXPECT_EQ(order.segments, expected);
}

TEST(Lanes, NeighboursLieApartInTheData) {
  // 40 rows in one segment: sixteen piles, 40 / 16 rounded up to 3 apart.
  BagSplitRows all;
  for (std::uint32_t r = 0; r < 40; ++r) all.train.push_back(r);
  const BagSplitRows* bags[] = {&all};
  LaneOrder order = order_lanes(bags, 40, {});
  ASSERT_EQ(order.rows.size(), 40U);
  EXPECT_EQ(order.rows[0], 0U);
  EXPECT_EQ(order.rows[1], 3U);
  EXPECT_EQ(order.rows[14], 1U);  // 0, 3, ..., 39 are fourteen
  std::ranges::sort(order.rows);
  EXPECT_EQ(order.rows, all.train);
}

TEST(Lanes, ValidationDataJudgeInsteadOfWhatIsHeldOut) {
  const BagSplitRows* bags[] = {&kFirst, &kSecond};
  const LaneOrder order = order_lanes(bags, 6, 2);
  EXPECT_EQ(order.rows, (std::vector<std::uint32_t>{0, 3, 4, 1, 5, 0, 1}));  // 2 is nobody's
  EXPECT_EQ(order.num_train, 5U);
  const std::vector<LaneSegment> expected = {{.begin = 0, .end = 3, .trains = {true, true}},
                                             {.begin = 3, .end = 4, .trains = {false, true}},
                                             {.begin = 4, .end = 5, .trains = {true, false}},
                                             {.begin = 5, .end = 7, .judges = {true, true}}};
  EXPECT_EQ(order.segments, expected);
}

// A machine without any of the validation rows: what bags hold out is nobody's here, either.
TEST(Lanes, ValidationDataMayLieElsewhere) {
  const BagSplitRows* bags[] = {&kFirst, &kSecond};
  const LaneOrder order = order_lanes(bags, 6, 0);
  EXPECT_EQ(order.rows, (std::vector<std::uint32_t>{0, 3, 4, 1, 5}));
  for (const LaneSegment& segment : order.segments) {
    EXPECT_EQ(segment.judges, (std::array<bool, kBagLanes>{}));
  }
}

TEST(Lanes, PartsOfTheSegmentsHaveAllRowsOnce) {
  const std::vector<LaneSegment> segments = {
      {.begin = 0, .end = 5, .trains = {true}}, {.begin = 5, .end = 6}, {.begin = 6, .end = 10}};
  const auto parts = cut_segments(segments, 3);
  const std::vector<std::vector<LaneSegment>> expected = {
      {{.begin = 0, .end = 3, .trains = {true}}},
      {{.begin = 3, .end = 5, .trains = {true}}, {.begin = 5, .end = 6}},
      {{.begin = 6, .end = 10}}};
  EXPECT_EQ(parts, expected);
  EXPECT_EQ(cut_segments({}, 2), (std::vector<std::vector<LaneSegment>>(2)));
}

}  // namespace
}  // namespace glassrank
