#include <gtest/gtest.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Bpref, CountsJudgedDocumentsAboveTheRelevantOnes) {
  // R = 2, N = 3. First relevant one: none above, 1. Second: two above, 1 - 2/2.
  EXPECT_DOUBLE_EQ(value_of("bpref", in_order({1, 0, 0, 1, 0})), 0.5);
}

TEST(Bpref, PassesOverDocumentsWithoutAJudgement) {
  TestList list = in_order({0, 0, 1, 0});
  EXPECT_DOUBLE_EQ(value_of("bpref", list), 0.0);
  list.judged = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(value_of("bpref", list), 1.0);
  list.judged = {0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(value_of("bpref", list), 0.0);
}

TEST(Bpref, CountsWhatIsNotListed) {
  // R = 2, N = 2, of which one is listed above the one relevant document that is listed.
  EXPECT_DOUBLE_EQ(value_of("bpref", in_order({0, 1}, {1, 0})), 0.25);
  // A negative grade is neither relevant nor not: N = 1.
  EXPECT_DOUBLE_EQ(value_of("bpref", in_order({0, 1}, {1, -1})), 0.0);
}

TEST(Bpref, IsTheConventionsValueForAnEmptyQuery) {
  EXPECT_EQ(value_of("bpref", in_order({0, 0})), 1.0);
}

}  // namespace
}  // namespace glassrank
