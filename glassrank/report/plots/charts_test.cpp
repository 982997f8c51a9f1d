// What every chart keeps: well-formed elements, escaped names, nothing outside the canvas.

#include <cmath>
#include <limits>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/box_chart.h"
#include "glassrank/report/plots/heat_map.h"
#include "glassrank/report/plots/line_chart.h"
#include "glassrank/report/plots/palette.h"
#include "glassrank/report/plots/rank_chart.h"

namespace glassrank {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every x and y of an element lies on the canvas.
void expect_inside(const Picture& picture) {
  const std::regex place("\\b(x|x1|x2|cx|y|y1|y2|cy)=\"(-?[0-9.e+]+)\"");
  for (std::sregex_iterator it(picture.body.begin(), picture.body.end(), place), end; it != end;
       ++it) {
    const double value = std::stod((*it)[2]);
    const double most =
        (*it)[1].str().find('x') != std::string::npos ? picture.width : picture.height;
    EXPECT_GE(value, 0) << it->str();
    EXPECT_LE(value, most) << it->str();
  }
  EXPECT_EQ(picture.svg().find("nan"), std::string::npos);
  EXPECT_EQ(picture.svg().find("inf"), std::string::npos);
}

LineChart two_lines() {
  return {.title = "t<",
          .x_label = "x&",
          .y_label = "y",
          .series = {{.name = "a<b>", .x = {1, 2, 3}, .y = {0.1, 0.4, 0.2}},
                     {.name = "b", .x = {1, 2, 3}, .y = {0.3, kNaN, 0.3}}}};
}

TEST(BoxChart, DrawsABoxWhereThereIsOne) {
  const BoxValue box{
      .least = -0.2, .lower_quartile = 0.1, .median = 0.3, .upper_quartile = 0.4, .largest = 0.9};
  const BoxChart chart{.title = "t",
                       .x_label = "k",
                       .y_label = "AUC",
                       .series = {"a<b>", "b"},
                       .groups = {{.label = "3", .boxes = {box, std::nullopt}},
                                  {.label = "10", .boxes = {box, box}}}};
  const Picture picture = draw(chart);
  expect_inside(picture);
  EXPECT_EQ(count(picture.body, "stroke-width=\"3\""), 3);  // medians
  EXPECT_NE(picture.body.find("a&lt;b&gt;"), std::string::npos);
  expect_inside(draw(BoxChart{.title = "empty", .series = {"a"}}));
}

TEST(LineChart, DrawsALinePerRunAndADotForLonePoints) {
  const Picture picture = draw(two_lines());
  EXPECT_EQ(count(picture.body, "<polyline"), 1);
  EXPECT_EQ(count(picture.body, "<circle"), 2);
  EXPECT_NE(picture.body.find("a&lt;b&gt;"), std::string::npos);
  EXPECT_NE(picture.body.find("x&amp;"), std::string::npos);
  expect_inside(picture);
}

TEST(LineChart, DrawsBands) {
  LineChart chart = two_lines();
  chart.series[0].low = {0, 0.3, 0.1};
  chart.series[0].high = {0.2, 0.5, 0.3};
  const Picture picture = draw(chart);
  EXPECT_EQ(count(picture.body, "fill-opacity"), 1);
  EXPECT_NE(picture.body.find(">0.5<"), std::string::npos);  // the band is on the axis
}

TEST(LineChart, LeavesOutWhatALogarithmCannotShow) {
  LineChart chart = two_lines();
  chart.log_x = true;
  chart.series[0].x = {0, 10, 100};
  const Picture picture = draw(chart);
  EXPECT_NE(picture.body.find(">100<"), std::string::npos);
  EXPECT_EQ(picture.body.find(">0<"), std::string::npos);
  expect_inside(picture);
}

TEST(LineChart, BeginsAtZeroIfAsked) {
  LineChart chart = two_lines();
  chart.series = {{.name = "a", .x = {1, 2}, .y = {1000, 1200}}};
  EXPECT_EQ(draw(chart).body.find(">0<"), std::string::npos);
  chart.from_zero = true;
  EXPECT_NE(draw(chart).body.find(">0<"), std::string::npos);
}

TEST(LineChart, ShowsNothingAndOnePoint) {
  LineChart chart = two_lines();
  chart.series = {{.name = "a", .x = {7}, .y = {0.5}}};
  EXPECT_EQ(count(draw(chart).body, "<circle"), 1);
  EXPECT_NE(draw(chart).body.find(">7<"), std::string::npos);
  expect_inside(draw(chart));
  chart.series = {{.name = "a", .x = {7}, .y = {kNaN}}};
  EXPECT_NE(draw(chart).body.find("nothing to show"), std::string::npos);
  chart.series = {};
  EXPECT_NE(draw(chart).body.find("nothing to show"), std::string::npos);
}

TEST(LineChart, GrowsWithItsLegend) {
  LineChart chart = two_lines();
  chart.series.resize(30, chart.series[0]);
  const Picture picture = draw(chart);
  EXPECT_GT(picture.height, chart.height);
  expect_inside(picture);
}

TEST(LineChart, GivesTheSameBytesTwice) {
  EXPECT_EQ(draw(two_lines()).svg(), draw(two_lines()).svg());
}

HeatMap small_map() {
  return {.title = "m",
          .x_label = "x",
          .y_label = "y",
          .value_label = "v<",
          .num_rows = 2,
          .num_columns = 3,
          .values = {1, 1, 2, kNaN, 4, 8},
          .row_names = {"r0", "r1"},
          .column_names = {"c0", "c1", "c2"},
          .decimals = 0};
}

TEST(HeatMap, JoinsEqualNeighboursAndLeavesMissingCellsWhite) {
  const Picture picture = draw(small_map());
  // Runs: 1 1 | 2 | 4 | 8; a path of one rectangle each.
  EXPECT_EQ(count(picture.body, "<path"), 4);
  EXPECT_EQ(count(picture.body, "z\"/>"), 4);
  EXPECT_EQ(count(picture.body, ">1</text>"), 2 + 1);  // in two cells, and on the scale
  EXPECT_NE(picture.body.find("v&lt;"), std::string::npos);
  expect_inside(picture);
}

TEST(HeatMap, UsesTheWholeScaleFromLowestToHighest) {
  const Picture picture = draw(small_map());
  EXPECT_NE(picture.body.find(amount_colour(0)), std::string::npos);
  EXPECT_NE(picture.body.find(amount_colour(1)), std::string::npos);
}

TEST(HeatMap, IsWhiteAtZeroIfSigned) {
  HeatMap map = small_map();
  map.is_signed = true;
  map.values = {0, 1, 2, kNaN, -4, 0};
  const Picture picture = draw(map);
  EXPECT_NE(picture.body.find(signed_colour(-1)), std::string::npos);
  EXPECT_NE(picture.body.find("<path fill=\"#ffffff\""), std::string::npos);
  map.legend = {{.name = "less", .colour = std::string(kLowers), .is_area = true}};
  EXPECT_NE(draw(map).body.find(">less<"), std::string::npos);
  EXPECT_EQ(draw(map).body.find("v&lt;"), std::string::npos);  // no scale of numbers
}

TEST(HeatMap, ShowsPowersOnALogarithmicScale) {
  HeatMap map = small_map();
  map.log_colours = true;
  map.values = {1, 10, 100, 0, 1000, 10000};
  const Picture picture = draw(map);
  EXPECT_EQ(count(picture.body, "<path"), 5);  // 0 has no logarithm
  EXPECT_NE(picture.body.find(">10,000<"), std::string::npos);
}

TEST(HeatMap, HasAxesOfNumbersWithoutNames) {
  HeatMap map = small_map();
  map.row_names = {};
  map.column_names = {};
  map.row_span = {0, 2000};
  map.column_span = {1, 50};
  const Picture picture = draw(map);
  EXPECT_NE(picture.body.find(">2,000<"), std::string::npos);
  EXPECT_NE(picture.body.find(">50<"), std::string::npos);
  expect_inside(picture);
}

TEST(HeatMap, WithoutCellsSaysSo) {
  EXPECT_NE(draw(HeatMap{.title = "e", .values = {}}).body.find("nothing to show"),
            std::string::npos);
}

RankChart three_documents() {
  return {.title = "q",
          .rounds = {1, 2, 3, 4},
          .ranks = {{0, 0, 0, 1}, {1, 2, 2, 2}, {2, 1, 1, 0}},
          .grades = {0, 1, 2},
          .names = {"a<", "b", "c"}};
}

TEST(RankChart, DrawsARibbonPerDocumentWithHighGradesOnTop) {
  const Picture picture = draw(three_documents());
  EXPECT_EQ(count(picture.body, "<polygon"), 3);
  EXPECT_LT(picture.body.find(grade_colour(0, 3)), picture.body.find(grade_colour(1, 3)));
  EXPECT_LT(picture.body.find(grade_colour(1, 3)), picture.body.find(grade_colour(2, 3)));
  EXPECT_NE(picture.body.find("a&lt; (0)"), std::string::npos);
  expect_inside(picture);
}

TEST(RankChart, GivesRanksRoomByTheirDiscount) {
  RankChart chart = three_documents();
  chart.title = "";  // the plot goes from 16 to 560 - 50
  const Picture picture = draw(chart);
  // Discounts 1, 0.6309, 0.5 of 494 pixels: the first band ends at 16 + 494 / 2.1309 = 247.8.
  EXPECT_NE(picture.body.find(",246.8"), std::string::npos);  // less 1 pixel of gap
}

TEST(RankChart, HighlightsAndSaysWhy) {
  RankChart chart = three_documents();
  chart.highlighted = {false, true, false};
  chart.highlight_label = "steady";
  const Picture picture = draw(chart);
  EXPECT_NE(picture.body.find("steady"), std::string::npos);
  EXPECT_EQ(count(picture.body, std::string(kHighlight)), 2);
}

TEST(RankChart, ShowsOneRoundAndNone) {
  RankChart chart = three_documents();
  chart.rounds = {1};
  for (auto& ranks : chart.ranks) ranks.resize(1);
  EXPECT_EQ(count(draw(chart).body, "<polygon"), 3);
  expect_inside(draw(chart));
  EXPECT_NE(draw(RankChart{.title = "e", .rounds = {}, .ranks = {}, .grades = {}})
                .body.find("nothing to show"),
            std::string::npos);
}

TEST(BarChart, DrawsBarsIntervalsAndNumbers) {
  const BarChart chart{.title = "b",
                       .x_label = "ms",
                       .series = {"one", "two"},
                       .groups = {{.label = "g<",
                                   .bars = {{.value = 3, .low = 2, .high = 5, .text = "3.0"},
                                            {.value = -1, .text = "-1"}}},
                                  {.label = "h", .bars = {{.value = kNaN}, {.value = 2}}}}};
  const Picture picture = draw(chart);
  EXPECT_EQ(count(picture.body, "<rect"), 2 + 2);  // with the legend's
  EXPECT_EQ(count(picture.body, "<circle"), 1);    // where there is an interval
  EXPECT_NE(picture.body.find("g&lt;"), std::string::npos);
  EXPECT_NE(picture.body.find(">3.0<"), std::string::npos);
  EXPECT_EQ(count(picture.body, ">-1</text>"), 2);  // behind the bar and on the axis
  expect_inside(picture);
}

TEST(BarChart, WithoutBarsSaysSo) {
  EXPECT_NE(draw(BarChart{.title = "b", .series = {}, .groups = {}}).body.find("nothing to show"),
            std::string::npos);
}

TEST(Palette, RepeatsColoursWithOtherDashes) {
  EXPECT_EQ(series_colour(0), series_colour(7));
  EXPECT_NE(series_dash(0), series_dash(7));
  EXPECT_EQ(amount_colour(-1), amount_colour(0));
  EXPECT_EQ(amount_colour(2), amount_colour(1));
  EXPECT_EQ(grade_colour(4, 5), "#14532f");
  EXPECT_EQ(grade_colour(1, 5), "#bcd8c4");
}

}  // namespace
}  // namespace glassrank
