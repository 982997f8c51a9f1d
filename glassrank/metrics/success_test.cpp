#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Success, IsOneFromTheFirstRelevantDocumentOn) {
  const TestList list = in_order({0, 0, 1, 0});
  EXPECT_EQ(value_of("success@2", list), 0.0);
  EXPECT_EQ(value_of("success@3", list), 1.0);
  EXPECT_EQ(value_of("success", list), 1.0);
  EXPECT_EQ(value_of("success(rel=2)", list), 0.0);
}

TEST(Success, IsTheChanceOfARelevantDocumentWhereScoresAreEqual) {
  // Two of three equal documents are drawn; one is relevant.
  const TestList list{.scores = {1, 1, 1}, .grades = {0, 1, 0}};
  EXPECT_DOUBLE_EQ(value_of("success@2", list, {.ties = Ties::kAverage}), 2.0 / 3);
}

TEST(Success, IsZeroWhereNothingIsRelevantOrListed) {
  EXPECT_EQ(value_of("success@5", in_order({0, 0})), 0.0);
  EXPECT_EQ(value_of("success@5", in_order({}, {1})), 0.0);
}

}  // namespace
}  // namespace glassrank
