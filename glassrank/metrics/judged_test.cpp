#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Judged, IsTheShareOfTheFirstKThatWereJudged) {
  TestList list = in_order({1, 0, 0, 0});
  list.judged = {1, 0, 1, 0};
  EXPECT_DOUBLE_EQ(value_of("judged@2", list), 0.5);
  EXPECT_DOUBLE_EQ(value_of("judged@3", list), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value_of("judged", list), 0.5);
  EXPECT_DOUBLE_EQ(value_of("judged@8", list), 0.25);
  EXPECT_DOUBLE_EQ(value_of("judged@8", list, {.precision_divisor = PrecisionDivisor::kDocuments}),
                   0.5);
}

TEST(Judged, IsAllOfADataFileAndNothingOfAnEmptyList) {
  EXPECT_EQ(value_of("judged@2", in_order({0, 0})), 1.0);
  EXPECT_EQ(value_of("judged@2", in_order({}, {1})), 0.0);
}

TEST(Judged, IsTheExpectedShareWhereScoresAreEqual) {
  const TestList list{.scores = {1, 1, 1}, .grades = {0, 1, 0}, .judged = {0, 1, 1}};
  EXPECT_DOUBLE_EQ(value_of("judged@2", list, {.ties = Ties::kAverage}), 2.0 / 3);
}

}  // namespace
}  // namespace glassrank
