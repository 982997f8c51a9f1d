#include "glassrank/base/suggest.h"

#include <array>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(EditDistance, CountsANeighbourSwapAsOne) {
  EXPECT_EQ(edit_distance("ndgc", "ndcg"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestName, IsTheClosestKnownOne) {
  const std::array<std::string, 3> known = {"ndcg", "dcg", "err"};
  EXPECT_EQ(nearest_name("ndgc", known), "ndcg");
  EXPECT_EQ(nearest_name("precision", known), std::nullopt);
}

TEST(UnknownName, SuggestsOrLists) {
  const std::array<std::string, 2> known = {"ndcg", "err"};
  EXPECT_EQ(unknown_name_message("metric", "ndgc", known),
            "unknown metric 'ndgc'; did you mean 'ndcg'?");
  EXPECT_EQ(unknown_name_message("metric", "zzzzzz", known),
            "unknown metric 'zzzzzz'; known: ndcg, err");
}

}  // namespace
}  // namespace glassrank
