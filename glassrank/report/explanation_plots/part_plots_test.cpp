// Pictures of one explanation: marks, numbers and labels.

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/report/explanation_plots/force_plot.h"
#include "glassrank/report/explanation_plots/part_bars.h"
#include "glassrank/report/explanation_plots/waterfall.h"
#include "testing/picture_checks.h"

namespace glassrank {
namespace {

using testing::count_in;
using testing::expect_sound;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Part> three_parts() {
  return {{.label = "bm25<title>", .value = "7.1", .amount = 1.3},
          {.label = "price", .value = "5.49", .amount = 0.6},
          {.label = "in_stock", .value = "off", .amount = -0.1}};
}

std::vector<Part> many_parts(std::size_t count) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const double amount = (i % 3 == 1 ? -2.0 : 2.0) / static_cast<double>(i + 1);
    parts.push_back({.label = "a_rather_long_name_of_a_feature_" + std::to_string(i),
                     .value = "0.1234",
                     .amount = amount,
                     .error = 0.05});
  }
  return parts;
}

TEST(Parts, SumTheOthersUnlessThereIsOnlyOne) {
  EXPECT_EQ(first_parts(three_parts(), 2).size(), 3);
  EXPECT_EQ(first_parts(three_parts(), 2)[2].label, "in_stock");
  const std::vector<Part> two = first_parts(three_parts(), 1);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two[1].label, "2 other features");
  EXPECT_DOUBLE_EQ(two[1].amount, 0.5);
  EXPECT_TRUE(two[1].is_sum);
  EXPECT_EQ(first_parts(three_parts(), 0).size(), 3);
}

TEST(Waterfall, GoesFromTheBaseValueToTheScore) {
  const Picture picture =
      draw(Waterfall{.title = "w&", .base_value = 0.51, .parts = three_parts()});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<polygon"), 3);
  EXPECT_EQ(count_in(picture.body, std::string(kRaises)), 2);
  EXPECT_EQ(count_in(picture.body, std::string(kLowers)), 1);
  EXPECT_NE(picture.body.find("bm25&lt;title&gt; = 7.1"), std::string::npos);
  EXPECT_NE(picture.body.find(">0.51<"), std::string::npos);
  EXPECT_NE(picture.body.find(">2.31<"), std::string::npos);  // 0.51 + 1.3 + 0.6 - 0.1
  EXPECT_NE(picture.body.find(">+1.30<"), std::string::npos);
  EXPECT_NE(picture.body.find(">-0.10<"), std::string::npos);
}

TEST(Waterfall, SumsWhatIsTooMany) {
  const Picture picture = draw(Waterfall{.title = "w", .parts = many_parts(60), .most_parts = 10});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<polygon"), 11);
  EXPECT_NE(picture.body.find("50 other features"), std::string::npos);
}

TEST(Waterfall, ShowsNoPartsAndTinyOnes) {
  expect_sound(draw(Waterfall{.title = "none", .base_value = 3, .parts = {}}));
  const Picture tiny = draw(Waterfall{
      .title = "tiny", .base_value = 0, .parts = {{.label = "a", .value = "1", .amount = 2e-9}}});
  expect_sound(tiny);
  EXPECT_NE(tiny.body.find(">+2.00e-09<"), std::string::npos);
}

TEST(ForcePlot, MeetsAtTheScore) {
  const Picture picture = draw(ForcePlot{.title = "f", .base_value = 0.51, .parts = three_parts()});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<polygon"), 3);
  EXPECT_NE(picture.body.find(">score 2.31<"), std::string::npos);
  EXPECT_NE(picture.body.find(">no feature known 0.51<"), std::string::npos);
  EXPECT_NE(picture.body.find("price = 5.49"), std::string::npos);
}

TEST(ForcePlot, KeepsLabelsApart) {
  for (const std::size_t count : {0, 1, 2, 8, 40}) {
    expect_sound(draw(ForcePlot{.title = "f", .base_value = -1, .parts = many_parts(count)}));
  }
}

TEST(PartBars, StandToBothSidesOfZero) {
  std::vector<Part> parts = three_parts();
  parts[0].error = 0.2;
  const Picture picture = draw(PartBars{.title = "b", .parts = parts, .value_columns = {"value"}});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, "<rect"), 3);
  EXPECT_EQ(count_in(picture.body, "stroke-width=\"1.5\""), 3);  // one interval
  EXPECT_NE(picture.body.find(">5.49<"), std::string::npos);
}

TEST(PartBars, ShowBothValuesOfAPair) {
  std::vector<Part> parts = three_parts();
  for (Part& part : parts) part.other_value = "12.00";
  const Picture picture = draw(PartBars{.title = "A above B",
                                        .parts = parts,
                                        .value_columns = {"A", "B"},
                                        .column_details = {"rank 1", "rank 4"},
                                        .left_note = "for the-other",
                                        .right_note = "for the-one"});
  expect_sound(picture);
  EXPECT_EQ(count_in(picture.body, ">12.00<"), 3);
  EXPECT_NE(picture.body.find(">rank 4<"), std::string::npos);
  EXPECT_NE(picture.body.find(">for the-one<"), std::string::npos);
}

TEST(PartBars, ClipErrorsThatAreLargerThanThePlot) {
  const Picture picture =
      draw(PartBars{.title = "b",
                    .parts = {{.label = "a", .value = "", .amount = 1, .error = 5},
                              {.label = "b", .value = "", .amount = 0.5, .error = kNaN}}});
  expect_sound(picture);
}

TEST(PartBars, WithoutPartsSayNothing) {
  const Picture picture = draw(PartBars{.title = "b", .parts = {}});
  expect_sound(picture);
  EXPECT_NE(picture.body.find("nothing to show"), std::string::npos);
}

}  // namespace
}  // namespace glassrank
