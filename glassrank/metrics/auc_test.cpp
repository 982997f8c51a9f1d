#include "glassrank/metrics/auc.h"

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Auc, IsTheShareOfPairsInTheRightOrder) {
  // Relevant at ranks 1 and 3, irrelevant at 2 and 4: 3 of 4 pairs.
  EXPECT_EQ(value_of("auc", in_order({1, 0, 1, 0})), 0.75);
  EXPECT_EQ(value_of("auc", in_order({0, 0, 1})), 0.0);
  EXPECT_EQ(value_of("auc(rel=2)", in_order({1, 2, 0})), 0.5);
}

TEST(Auc, OfTiesFollowsTheConvention) {
  const TestList list{.scores = {1, 1}, .grades = {1, 0}};
  EXPECT_EQ(value_of("auc", list, {.ties = Ties::kAverage}), 0.5);
  EXPECT_EQ(value_of("auc", list, {.ties = Ties::kInput}), 1.0);
  EXPECT_EQ(value_of("auc", list, {.ties = Ties::kWorst}), 0.0);
}

TEST(Auc, WithoutBothKindsIsEmpty) {
  const Convention convention{.empty = {.value = 0.5}};
  EXPECT_EQ(value_of("auc", in_order({1, 2}), convention), 0.5);
  EXPECT_EQ(value_of("auc", in_order({0, 0}), convention), 0.5);
  EXPECT_EQ(value_of("auc", in_order({0, 0}, {1}), convention), 0.5);
}

}  // namespace
}  // namespace glassrank
