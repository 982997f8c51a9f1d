#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(RPrecision, LooksAtAsManyRanksAsThereAreRelevantDocuments) {
  // R = 3: two of the first three.
  EXPECT_DOUBLE_EQ(value_of("rprec", in_order({1, 0, 2, 1, 0})), 2.0 / 3);
}

TEST(RPrecision, CountsRelevantDocumentsThatAreNotListed) {
  EXPECT_DOUBLE_EQ(value_of("rprec", in_order({1, 0}, {1, 1, 0})), 1.0 / 3);
}

TEST(RPrecision, IsTheConventionsValueForAnEmptyQuery) {
  EXPECT_EQ(value_of("rprec", in_order({0, 0})), 1.0);
  EXPECT_EQ(value_of("rprec", in_order({0, 0}), {.empty = {.value = 0}}), 0.0);
}

}  // namespace
}  // namespace glassrank
