#include "glassrank/metrics/precision.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Precision, IsTheShareOfRelevantDocuments) {
  EXPECT_EQ(value_of("p@3", in_order({1, 0, 2, 1})), 2.0 / 3);
  EXPECT_EQ(value_of("p", in_order({1, 0, 2, 1})), 3.0 / 4);
  EXPECT_EQ(value_of("p(rel=2)@3", in_order({1, 0, 2, 1})), 1.0 / 3);
  EXPECT_EQ(value_of("p@3", in_order({1, 0, 2, 1}), {.relevant_grade = 2}), 1.0 / 3);
}

TEST(Precision, AFractionalGradeAsLargeAsTheLimitCounts) {
  // 0.7 as float32 is below 0.7 as double.
  EXPECT_EQ(value_of("p(rel=0.7)@2", in_order({0.7F, 0.6F})), 0.5);
  EXPECT_EQ(value_of("recall(rel=0.7)@1", in_order({0.7F, 0.6F})), 1.0);
}

TEST(Precision, OfAShortListIsDividedAsTheConventionSays) {
  EXPECT_EQ(value_of("p@10", in_order({1, 0})), 0.1);
  EXPECT_EQ(value_of("p@10", in_order({1, 0}), {.precision_divisor = PrecisionDivisor::kDocuments}),
            0.5);
  EXPECT_EQ(value_of("p@10", in_order({}, {1})), 0.0);
}

TEST(Precision, OfAnEmptyQueryIsZeroUnlessSkipped) {
  EXPECT_EQ(value_of("p@2", in_order({0, 0})), 0.0);
  EXPECT_TRUE(std::isnan(value_of("p@2", in_order({0, 0}), {.empty = {.skip = true}})));
}

TEST(Precision, AveragesTies) {
  // One relevant in a run of three; the cutoff keeps two of its places: 2/3 hits, over k = 2.
  EXPECT_DOUBLE_EQ(
      value_of("p@2", {.scores = {1, 1, 1}, .grades = {1, 0, 0}}, {.ties = Ties::kAverage}),
      1.0 / 3);
}

}  // namespace
}  // namespace glassrank
