#include "glassrank/metrics/pfound.h"

#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Pfound, SumsSatisfactionOverReachedRanks) {
  // max 4: 1/16 + (15/16) * 0.85 * (15/16)
  EXPECT_DOUBLE_EQ(value_of("pfound", in_order({1, 4})), 1.0 / 16 + 225.0 / 256 * 0.85);
  EXPECT_DOUBLE_EQ(value_of("pfound(break=0.5)", in_order({1, 4})), 1.0 / 16 + 225.0 / 256 * 0.5);
  EXPECT_DOUBLE_EQ(value_of("pfound(max=1,break=0)", in_order({1, 1})), 0.75);
  EXPECT_DOUBLE_EQ(value_of("pfound@1", in_order({1, 4})), 1.0 / 16);
}

TEST(Pfound, OfAnEmptyQueryIsZero) { EXPECT_EQ(value_of("pfound", in_order({0, 0})), 0.0); }

}  // namespace
}  // namespace glassrank
