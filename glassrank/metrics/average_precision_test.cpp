#include "glassrank/metrics/average_precision.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(AveragePrecision, AveragesPrecisionAtRelevantRanks) {
  // Relevant at ranks 1, 3, 4: (1/1 + 2/3 + 3/4) / 3
  EXPECT_DOUBLE_EQ(value_of("map", in_order({1, 0, 2, 1})), (1 + 2.0 / 3 + 3.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(value_of("map(rel=2)", in_order({1, 0, 2, 1})), 1.0 / 3);
  // A missed relevant document counts in R.
  EXPECT_DOUBLE_EQ(value_of("map", in_order({1, 0}, {1})), 0.5);
}

TEST(AveragePrecision, IsDividedAsTheConventionSays) {
  // At 3, relevant at ranks 2 and 3 of R = 4: 1/2 + 2/3.
  const TestList list = in_order({0, 1, 1, 1, 1});
  const double sum = 1.0 / 2 + 2.0 / 3;
  EXPECT_DOUBLE_EQ(value_of("map@3", list), sum / 4);
  EXPECT_DOUBLE_EQ(value_of("map@3", list, {.ap_divisor = ApDivisor::kRelevantOrCutoff}), sum / 3);
  EXPECT_DOUBLE_EQ(value_of("map@3", list, {.ap_divisor = ApDivisor::kHits}), sum / 2);
}

TEST(AveragePrecision, OfAnEmptyQueryIsWhatTheConventionSays) {
  EXPECT_EQ(value_of("map", in_order({0, 0})), 1.0);
  EXPECT_EQ(value_of("map", in_order({0, 0}), {.map_empty = "0"}), 0.0);
  EXPECT_TRUE(std::isnan(value_of("map", in_order({0, 0}), {.map_empty = "skip"})));
}

TEST(AveragePrecision, WithoutHitsIsZeroOrAsEmpty) {
  EXPECT_EQ(value_of("map@1", in_order({0, 1})), 0.0);
  EXPECT_EQ(value_of("map@1", in_order({0, 1}), {.ap_divisor = ApDivisor::kHits}), 0.0);
  EXPECT_EQ(value_of("map@1", in_order({0, 1}), {.map_no_hits = NoHits::kEmpty}), 1.0);
  try {
    value_of("map@1", in_order({1}), {.ties = Ties::kAverage, .map_no_hits = NoHits::kEmpty});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "ties = average is not defined for map with map_no_hits = empty; use map_no_hits "
                 "= zero");
  }
}

TEST(AveragePrecision, AveragesTies) {
  // Relevant and irrelevant share two ranks: (1/1 + 1/2) / 2.
  EXPECT_DOUBLE_EQ(value_of("map", {.scores = {1, 1}, .grades = {0, 1}}, {.ties = Ties::kAverage}),
                   0.75);
}

}  // namespace
}  // namespace glassrank
