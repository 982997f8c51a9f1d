#include "glassrank/data/category_names.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

TEST(CategoryNames, EdgesHoldWhatIsLeftWhenFractionsAreCutOff) {
  for (const std::uint32_t code : {0U, 1U, 2U, 7U, 1000U, (1U << 23) - 1}) {
    const float low = edge_below(code);
    const float high = edge_below(code + 1);
    EXPECT_LT(low, static_cast<float>(code));
    EXPECT_GE(high, static_cast<float>(code));
    EXPECT_EQ(static_cast<std::uint32_t>(std::nextafter(low, HUGE_VALF)), code);
    EXPECT_EQ(static_cast<std::uint32_t>(high), code);
    EXPECT_EQ(category_between(low, high), code);
    EXPECT_EQ(category_between(low, edge_below(code + 2)), std::nullopt);
  }
  EXPECT_EQ(category_between(0.0F, 1.0F), std::nullopt);
  EXPECT_EQ(category_between(-2.0F, -1.0F), std::nullopt);
}

TEST(CategoryMap, BringsCodesOfOneListToAnother) {
  const Texts from = {"red", "green", "blue"};
  const Texts to = {"blue", "red"};
  const CategoryMap map(from, to);
  EXPECT_EQ(map(0), 1);
  EXPECT_EQ(map(1), 2);  // unknown: behind the last
  EXPECT_EQ(map(2), 0);
  EXPECT_EQ(map(3), 2);  // unknown already
  EXPECT_TRUE(std::isnan(map(std::numeric_limits<float>::quiet_NaN())));
}

TEST(CategoryMap, TakesWholeNumbersForNamesAndNamesForNumbers) {
  const CategoryMap to_numbers(Texts{"12", "x", "3"}, {});
  EXPECT_EQ(to_numbers(0), 12);
  EXPECT_LT(to_numbers(1), 0);  // no category
  EXPECT_EQ(to_numbers(2), 3);
  const CategoryMap to_names({}, Texts{"12", "x", "3"});
  EXPECT_EQ(to_names(12), 0);
  EXPECT_EQ(to_names(3), 2);
  EXPECT_EQ(to_names(4), 3);
}

TEST(CategoryNames, RefusesListsThatDoNotFit) {
  EXPECT_EQ(message_of([] { check_categories({{"a"}}, 2); }),
            "1 lists of categories for 2 features");
  EXPECT_EQ(message_of([] { check_categories({{}, {"a", "b", "a"}}, 2); }),
            "feature 2: category 'a' is there twice");
  check_categories({}, 5);
}

TEST(CategoryNames, NameCodesWithoutANameByNumber) {
  EXPECT_EQ(category_text(Texts{"a"}, 0), "a");
  EXPECT_EQ(category_text(Texts{"a"}, 1), "#1");
}

}  // namespace
}  // namespace glassrank
