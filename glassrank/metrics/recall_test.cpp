#include "glassrank/metrics/recall.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Recall, IsTheShareOfRelevantDocumentsFound) {
  EXPECT_EQ(value_of("r@2", in_order({1, 0, 2, 1})), 1.0 / 3);
  EXPECT_EQ(value_of("r@2", in_order({1, 0, 2, 1}, {1, 1, 0})), 1.0 / 5);
  EXPECT_EQ(value_of("r", in_order({1, 0, 2, 1})), 1.0);
  EXPECT_EQ(value_of("r(rel=2)@3", in_order({1, 0, 2, 1})), 1.0);
}

TEST(Recall, OfAnEmptyQueryIsWhatTheConventionSays) {
  EXPECT_EQ(value_of("r@2", in_order({0, 0})), 1.0);
  EXPECT_EQ(value_of("r@2", in_order({0, 0}), {.r_empty = "0"}), 0.0);
  EXPECT_TRUE(std::isnan(value_of("r@2", in_order({0, 0}), {.r_empty = "skip"})));
}

}  // namespace
}  // namespace glassrank
