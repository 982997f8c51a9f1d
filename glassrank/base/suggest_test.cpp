#include "glassrank/base/suggest.h"

#include <array>
#include <string>
#include <vector>

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

TEST(GuessedNames, AreAtMostThreeEquallyNearOnes) {
  const std::array<std::string, 6> known = {"l1", "l2", "l3", "l4", "num_leaves", "leaves_max"};
  EXPECT_EQ(guessed_names("l0", known), (std::vector<std::string>{"l1", "l2", "l3"}));
  EXPECT_EQ(guessed_names("num_leafs", known), (std::vector<std::string>{"num_leaves"}));
}

TEST(GuessedNames, AreThoseWithTheWordWhereNoneIsNear) {
  const std::array<std::string, 3> known = {"num_trees", "clean.num_trees", "streets"};
  EXPECT_EQ(guessed_names("trees", known),
            (std::vector<std::string>{"num_trees", "clean.num_trees"}));
  EXPECT_TRUE(guessed_names("nu", known).empty());
}

TEST(UnknownName, ShortensALongList) {
  std::vector<std::string> known;
  for (int i = 0; i < 30; ++i) known.push_back("feature" + std::to_string(i));
  EXPECT_EQ(unknown_name_message("option", "zzz", known, "see --help"),
            "unknown option 'zzz'; see --help");
  const std::string text = unknown_name_message("feature", "zzz", known);
  EXPECT_TRUE(text.ends_with("feature18, feature19, ... (30 in all)")) << text;
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
