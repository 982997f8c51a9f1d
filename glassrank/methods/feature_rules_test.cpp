#include "glassrank/methods/feature_rules.h"

#include <gtest/gtest.h>

#include "glassrank/base/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

Dataset named_data() {
  DatasetParts parts;
  parts.features = Buffer<float>(3);
  for (std::size_t f = 0; f < 3; ++f) parts.features[f] = 0;
  parts.grades = {0};
  const std::size_t sizes[] = {1};
  parts.queries = QueryGroups({"q"}, sizes);
  parts.feature_names = {"title", "price", "year"};
  return Dataset(std::move(parts));
}

TEST(ParseMonotone, TakesNamesAndNumbersFromOne) {
  const auto directions = parse_monotone(Texts{"+title", "-3"}, named_data());
  EXPECT_EQ(directions, (std::vector<std::int8_t>{1, 0, -1}));
  EXPECT_TRUE(parse_monotone(Texts{}, named_data()).empty());
  EXPECT_EQ(parse_monotone(Texts{" + price "}, named_data()), (std::vector<std::int8_t>{0, 1, 0}));
}

TEST(ParseMonotone, SaysWhatIsWrong) {
  const auto message = [](const Texts& texts) {
    return message_of([&] { parse_monotone(texts, named_data()); });
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
  const FeatureSets sets =
      parse_interactions(Texts{"[title, price]", "(3)", "year,title"}, named_data());
  EXPECT_EQ(sets, (FeatureSets{{0, 1}, {2}, {2, 0}}));
}

TEST(ParseInteractions, SaysWhatIsWrong) {
  const auto message = [](const Texts& texts) {
    return message_of([&] { parse_interactions(texts, named_data()); });
  };
  EXPECT_EQ(message({"[]"}), "interactions '[]': a set needs a feature");
  EXPECT_EQ(message({"[title,yeer]"}),
            "interactions '[title,yeer]': unknown feature 'yeer'; did you mean 'year'?");
}

}  // namespace
}  // namespace glassrank
