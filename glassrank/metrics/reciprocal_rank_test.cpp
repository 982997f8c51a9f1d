#include "glassrank/metrics/reciprocal_rank.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(ReciprocalRank, IsThatOfTheFirstRelevantDocument) {
  EXPECT_EQ(value_of("mrr", in_order({0, 0, 1, 2})), 1.0 / 3);
  EXPECT_EQ(value_of("mrr(rel=2)", in_order({0, 0, 1, 2})), 1.0 / 4);
  EXPECT_EQ(value_of("mrr@2", in_order({0, 0, 1, 2})), 0.0);
  EXPECT_EQ(value_of("mrr", in_order({0, 0}, {1})), 0.0);
}

TEST(ReciprocalRank, OfAnEmptyQueryIsZeroUnlessSkipped) {
  EXPECT_EQ(value_of("mrr", in_order({0})), 0.0);
  EXPECT_TRUE(std::isnan(value_of("mrr", in_order({0}), {.empty = {.skip = true}})));
}

TEST(ReciprocalRank, AveragesTies) {
  // One relevant among three: (1 + 1/2 + 1/3) / 3.
  const TestList list{.scores = {1, 1, 1}, .grades = {0, 1, 0}};
  EXPECT_DOUBLE_EQ(value_of("mrr", list, {.ties = Ties::kAverage}), (1 + 0.5 + 1.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(value_of("mrr@2", list, {.ties = Ties::kAverage}), 0.5);
}

}  // namespace
}  // namespace glassrank
