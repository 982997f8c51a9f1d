#include "glassrank/metrics/rbp.h"

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Rbp, WeighsRanksByPersistence) {
  // p = 1/2, relevant at ranks 1 and 3: (1 - 1/2)(1 + 1/4)
  EXPECT_DOUBLE_EQ(value_of("rbp(p=0.5)", in_order({1, 0, 3})), 0.625);
  EXPECT_DOUBLE_EQ(value_of("rbp(p=0.5,rel=2)", in_order({1, 0, 3})), 0.125);
  EXPECT_DOUBLE_EQ(value_of("rbp(p=0.5)@2", in_order({1, 0, 3})), 0.5);
  EXPECT_DOUBLE_EQ(value_of("rbp", in_order({1})), 0.2);  // 1 - 0.8
}

TEST(Rbp, OfAnEmptyQueryIsZero) { EXPECT_EQ(value_of("rbp", in_order({0, 0})), 0.0); }

}  // namespace
}  // namespace glassrank
