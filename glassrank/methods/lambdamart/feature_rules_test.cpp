#include "glassrank/methods/lambdamart/feature_rules.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

const Texts kNames = {"title", "price", "year"};

TEST(ParseMonotone, TakesNamesAndNumbersFromOne) {
  const auto directions = parse_monotone(Texts{"+title", "-3"}, kNames);
  EXPECT_EQ(directions, (std::vector<std::int8_t>{1, 0, -1}));
  EXPECT_TRUE(parse_monotone(Texts{}, kNames).empty());
  EXPECT_EQ(parse_monotone(Texts{" + price "}, kNames), (std::vector<std::int8_t>{0, 1, 0}));
}

TEST(ParseMonotone, SaysWhatIsWrong) {
  const auto message = [](const Texts& texts) {
    return message_of([&] { parse_monotone(texts, kNames); });
  };
  EXPECT_EQ(message({"title"}),
            "monotone 'title' must be + (the score never falls) or - (it never rises) and a "
            "feature");
  EXPECT_EQ(message({"+"}),
            "monotone '+' must be + (the score never falls) or - (it never rises) and a feature");
  EXPECT_EQ(message({"+titel"}),
            "monotone '+titel': unknown feature 'titel'; did you mean 'title'?");
  EXPECT_EQ(message({"+4"}), "monotone '+4': there is no feature 4; the data has 3 features");
  EXPECT_EQ(message({"+price", "-2"}), "monotone: feature 'price' cannot have both directions");
}

TEST(ParseInteractions, TakesSetsInAnyBrackets) {
  const FeatureSets sets = parse_interactions(Texts{"[title, price]", "(3)", "year,title"}, kNames);
  EXPECT_EQ(sets, (FeatureSets{{0, 1}, {2}, {2, 0}}));
}

TEST(ParseInteractions, SaysWhatIsWrong) {
  const auto message = [](const Texts& texts) {
    return message_of([&] { parse_interactions(texts, kNames); });
  };
  EXPECT_EQ(message({"[]"}), "interactions '[]': a set needs a feature");
  EXPECT_EQ(message({"[title,yeer]"}),
            "interactions '[title,yeer]': unknown feature 'yeer'; did you mean 'year'?");
}

}  // namespace
}  // namespace glassrank
