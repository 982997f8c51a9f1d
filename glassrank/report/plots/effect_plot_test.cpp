#include "glassrank/report/plots/effect_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/frame.h"

namespace glassrank {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

GamEffect curve() {
  return {.axes = {{.feature = 0, .edges = {1, 2, 3}}},
          .values = {0, 1, -1, 0.5, 2},
          .errors = {},
          .weights = {}};
}

// Codes 0 and 2 have cells of their own; 1 and what is unseen lie in the others.
TEST(CategoryPlot, HasABarForEveryNameTheHighestFirst) {
  const GamEffect effect{
      .axes = {{.feature = 0,
                .edges = {edge_below(0), edge_below(1), edge_below(2), edge_below(3)}}},
      .values = {0, 0.25, 0.5, 2, 0.125, -1},
      .errors = {},
      .weights = {0, 10, 20, 30, 4, 5}};
  const Gam gam({.effects = {effect},
                 .num_features = 1,
                 .feature_names = {"colour"},
                 .categories = {{"red", "green", "blue"}}});
  const std::vector<std::string> names = {"colour"};
  const Picture picture = draw_effect(gam, 0, names);
  const auto place = [&](const char* text) { return picture.body.find(text); };
  EXPECT_LT(place(">blue<"), place(">green<"));
  EXPECT_LT(place(">green<"), place(">red<"));
  EXPECT_LT(place(">red<"), place(">(unseen)<"));
  EXPECT_LT(place(">(unseen)<"), place(">(missing)<"));
  EXPECT_NE(place("2, 30 rows"), std::string::npos);
  EXPECT_NE(place("-1, 5 rows"), std::string::npos);
  EXPECT_EQ(count(picture.body, "<polyline"), 0U);
}

TEST(CurvePlot, IsAStepLineWithMissingValuesApart) {
  const Picture picture = draw_curve(curve(), "a<b");
  EXPECT_EQ(count(picture.body, "<polyline"), 1U);
  EXPECT_EQ(count(picture.body, "<circle"), 1U);
  EXPECT_EQ(count(picture.body, "<polygon"), 0U);  // no errors, no band
  EXPECT_EQ(count(picture.body, "<rect"), 0U);     // no weights, no rows
  EXPECT_NE(picture.body.find(">missing<"), std::string::npos);
  EXPECT_NE(picture.body.find("a&lt;b"), std::string::npos);
  // Two points for each of the four cells.
  const std::size_t start = picture.body.find("points=\"") + 8;
  const std::string points = picture.body.substr(start, picture.body.find('"', start) - start);
  EXPECT_EQ(count(points, ","), 8U);
}

TEST(CurvePlot, ShowsErrorsAndRows) {
  GamEffect effect = curve();
  effect.errors = {.1, .1, .1, .1, .2};
  effect.weights = {50, 30, 20, 100, 0};
  const Picture picture = draw_curve(effect, "price");
  EXPECT_EQ(count(picture.body, "<polygon"), 1U);
  EXPECT_EQ(count(picture.body, "<rect"), 60U);  // slices of equal width
  EXPECT_NE(picture.body.find("band: 2 standard deviations over bags"), std::string::npos);
  // The last cell: half of the rows in 0.14 of 2.28.
  EXPECT_NE(picture.body.find(">14 %<"), std::string::npos);
  EXPECT_EQ(picture.body.find(">missing<"), std::string::npos);  // no row has a missing value
  EXPECT_EQ(count(picture.body, "<circle"), 0U);
}

TEST(CurvePlot, DrawsTheBorderOfZeroAtZero) {
  // LightGBM's border between 0 and more, below values that would make the axis logarithmic.
  GamEffect effect = curve();
  effect.axes[0].edges = {1e-35F, 2, 30'000};
  effect.weights = {500, 480, 10, 10, 0};
  GamEffect at_zero = effect;
  at_zero.axes[0].edges[0] = 0;
  EXPECT_EQ(draw_curve(effect, "price").body, draw_curve(at_zero, "price").body);
  EXPECT_LE(count(draw_curve(effect, "price").body, ">0<"), 2U);
  GamEffect surface{.axes = {{.feature = 0, .edges = {-1e-35F, 3}}, {.feature = 1, .edges = {1}}},
                    .values = std::vector<double>(12, 1.0),
                    .errors = {},
                    .weights = {}};
  EXPECT_EQ(draw_surface(surface, "a", "b").body.find("e-35"), std::string::npos);
  EXPECT_EQ(place_of_edge(std::nextafter(1e-35F, 1.0F)),
            static_cast<double>(std::nextafter(1e-35F, 1.0F)));
}

TEST(CurvePlot, CutsEndsThatHoldHardlyAnyRow) {
  GamEffect effect = curve();
  effect.axes[0].edges = {1, 2, 30'000};
  effect.weights = {500, 497, 2, 1, 0};
  const Picture picture = draw_curve(effect, "price");
  EXPECT_NE(picture.body.find("0.3 % of the rows lie outside"), std::string::npos);
  EXPECT_EQ(picture.body.find(">30,000<"), std::string::npos);
}

// The cells at both ends are open: some room, but none where the data have no value.
TEST(CurvePlot, DoesNotLeaveTheData) {
  const auto body = [](std::optional<FeatureRange> range) {
    return draw_curve(curve(), "price", {.range = range}).body;
  };
  EXPECT_EQ(body({}), body(FeatureRange{.low = -100, .high = 100}));
  EXPECT_NE(body({}), body(FeatureRange{.low = 1, .high = 100}));
  EXPECT_NE(body({}), body(FeatureRange{.low = -100, .high = 3}));
}

TEST(CurvePlot, ShowsWhereTheRowsOfManyCellsLie) {
  // 200 cells of one row each, the first 100 a tenth as wide as the others: 60 bars, the first six
  // of them with most of the rows.
  GamEffect effect = curve();
  effect.axes[0].edges.clear();
  for (int i = 1; i < 200; ++i) {
    effect.axes[0].edges.push_back(
        static_cast<float>(1000 + (i <= 100 ? i : 100 + 10 * (i - 100))));
  }
  effect.values.assign(201, 0.0);
  effect.weights.assign(201, 1.0);
  effect.weights.back() = 0;
  const std::string body = draw_curve(effect, "price").body;
  EXPECT_EQ(count(body, "<rect"), 60U);
  // The first and the last row are cut off, 1001 to 2090 is left: a bar is 18.15 wide and holds as
  // many of the 200 rows.
  EXPECT_NE(body.find(">9.1 %<"), std::string::npos) << body;
}

TEST(CurvePlot, TakesLogarithmsWhereMostLiesLow) {
  GamEffect effect = curve();
  effect.axes[0].edges = {0.002F, 4, 10};  // all but one in the upper part
  EXPECT_EQ(draw_curve(effect, "bm25").body.find(">0.01<"), std::string::npos);
  effect.axes[0].edges = {0.002F, 0.1F, 10};
  EXPECT_NE(draw_curve(effect, "bm25").body.find(">0.01<"), std::string::npos);
  effect.weights = {1, 1, 10, 10, 0};  // rows, where they are known, count instead
  EXPECT_EQ(draw_curve(effect, "bm25").body.find(">0.01<"), std::string::npos);
}

TEST(CurvePlot, TwoCellsAreTwoDotsOrBars) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {0.5F}}},
                   .values = {-0.5, 1.5, 0},
                   .errors = {},
                   .weights = {30, 10, 0}};
  std::string body = draw_curve(effect, "in_stock").body;
  EXPECT_EQ(count(body, "<rect"), 2U);
  EXPECT_EQ(count(body, "<polyline"), 0U);
  EXPECT_NE(body.find(">at most 0.5 (75 % of rows)<"), std::string::npos) << body;
  EXPECT_NE(body.find(">above 0.5 (25 % of rows)<"), std::string::npos);
  EXPECT_NE(body.find(">+1.5<"), std::string::npos);
  effect.errors = {.1, .1, .1};
  body = draw_curve(effect, "in_stock").body;
  EXPECT_EQ(count(body, "<rect"), 0U);
  EXPECT_EQ(count(body, "<circle"), 2U);
}

TEST(EffectPlot, AllCurvesHaveOneScale) {
  GamEffect small = curve();
  for (double& value : small.values) value /= 100;
  small.axes[0].feature = 1;
  const Gam gam({.effects = {curve(), small}, .num_features = 2});
  const std::vector<std::string> names = {"a", "b"};
  const std::string body = draw_effect(gam, 1, names).body;
  const std::string on_scale =
      draw_curve(small, "b", {.title = "b: -0.01 to +0.02", .scale = Span{-1, 2}}).body;
  EXPECT_TRUE(body.starts_with(on_scale));  // and then how to read it
  EXPECT_FALSE(body.starts_with(draw_curve(small, "b", {.title = "b: -0.01 to +0.02"}).body));
  EXPECT_EQ(curve_scale(gam).low, -1);
  EXPECT_EQ(curve_scale(gam).high, 2);
}

TEST(CurvePlot, DrawsCurvesWithoutUsableEdges) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::vector<float>& edges : {std::vector<float>{},
                                          {-kInfinity},
                                          {kInfinity},
                                          {-kInfinity, kInfinity},
                                          {-kInfinity, 0, kInfinity},
                                          {5}}) {
    GamEffect effect{.axes = {{.feature = 0, .edges = edges}},
                     .values = std::vector<double>(edges.size() + 2, 1.0),
                     .errors = {},
                     .weights = std::vector<double>(edges.size() + 2, 1.0)};
    const Picture picture = draw_curve(effect, "x");
    EXPECT_EQ(count(picture.body, "<polyline"), edges == std::vector<float>{5} ? 0U : 1U);
    EXPECT_EQ(picture.body.find("nan"), std::string::npos);
    EXPECT_EQ(picture.body.find(">inf"), std::string::npos);
  }
}

TEST(SurfacePlot, HasMissingCellsAndSignedColours) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {1}}, {.feature = 1, .edges = {10, 20}}},
                   .values = {-1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.5},
                   .errors = {},
                   .weights = {}};
  const Picture picture = draw_surface(effect, "price", "pages");
  EXPECT_EQ(picture.title, "price x pages");
  EXPECT_EQ(count(picture.body, "<path"), 4U);  // -1, 0, 0.5, 1
  EXPECT_EQ(count(picture.body, ">missing<"), 2U);
  EXPECT_NE(picture.body.find(">price<"), std::string::npos);
  EXPECT_NE(picture.body.find(">pages<"), std::string::npos);
  EXPECT_NE(picture.body.find(">20<"), std::string::npos);
}

TEST(EffectPlot, SaysHowToReadASurface) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {1}}, {.feature = 1, .edges = {10, 20}}},
                   .values = std::vector<double>(12, 0.25),
                   .errors = {},
                   .weights = {}};
  const std::vector<std::string> names = {"price", "pages"};
  const auto body = [&] {
    return draw_effect(Gam({.effects = {effect}, .num_features = 2}), 0, names).body;
  };
  EXPECT_NE(body().find("How to read this: orange cells add to the score"), std::string::npos);
  EXPECT_EQ(body().find("pale"), std::string::npos);
  effect.weights.assign(12, 1);
  effect.weights[0] = 0;
  EXPECT_NE(body().find("pale cells"), std::string::npos);
}

// Only the data can tell that nothing lies between 0 and 1.
TEST(EffectPlot, CallsTheBarsOfASwitch0And1) {
  const GamEffect effect{.axes = {{.feature = 0, .edges = {0.5F}}},
                         .values = {-0.5, 1.5, 0},
                         .errors = {},
                         .weights = {30, 10, 0}};
  const Gam gam({.effects = {effect}, .num_features = 1});
  const std::vector<std::string> names = {"in_stock"};
  EXPECT_NE(draw_effect(gam, 0, names).body.find(">above 0.5 (25 % of rows)<"), std::string::npos);
  const Picture picture = draw_effect(gam, 0, names, std::vector<FeatureRange>{{0, 1, true}});
  EXPECT_EQ(picture.title, "in_stock: -0.50 to +1.50");
  EXPECT_NE(picture.body.find(">0 (75 % of rows)<"), std::string::npos);
  EXPECT_NE(picture.body.find(">1 (25 % of rows)<"), std::string::npos);
  EXPECT_NE(picture.body.find("off (0) or on (1)"), std::string::npos);
}

// What is left between the last label of the horizontal axis and "missing" on the same line.
double room_before_missing(const std::string& body) {
  const auto number = [&](std::size_t text, const char* name) {
    return std::stod(body.substr(body.find(name, text) + 4));
  };
  const std::size_t missing = body.rfind("<text", body.find(">missing<"));
  double end = 0;
  for (std::size_t at = 0; (at = body.find("<text", at)) != std::string::npos; ++at) {
    if (at == missing || number(at, " y=\"") != number(missing, " y=\"")) continue;
    const std::size_t label = body.find('>', at) + 1;
    const std::string text = body.substr(label, body.find('<', label) - label);
    end = std::max(end, number(at, " x=\"") + text_width(text, kTickSize) / 2);
  }
  EXPECT_GT(end, 0);
  return number(missing, " x=\"") - text_width("missing", kTickSize) / 2 - end;
}

TEST(CurvePlot, KeepsTicksApartFromMissingValues) {
  GamEffect effect = curve();
  for (float last = 4e6F; last < 9e6F; last += 1e5F) {
    effect.axes[0].edges = {0, last / 2, last};
    EXPECT_GT(room_before_missing(draw_curve(effect, "price").body), 0) << last;
  }
}

TEST(SurfacePlot, KeepsEdgesApartFromMissingValues) {
  for (std::size_t num_edges = 1; num_edges < 60; ++num_edges) {
    GamEffect effect{.axes = {{.feature = 0, .edges = {}}, {.feature = 1, .edges = {}}},
                     .values = std::vector<double>((num_edges + 2) * 2, 0.0),
                     .errors = {},
                     .weights = {}};
    for (std::size_t i = 0; i < num_edges; ++i) {
      effect.axes[0].edges.push_back(1.111F + static_cast<float>(i) / 100);
    }
    EXPECT_GT(room_before_missing(draw_surface(effect, "a", "b").body), 0) << num_edges;
  }
}

TEST(SurfacePlot, WritesThousandsOut) {
  const GamEffect effect{.axes = {{.feature = 0, .edges = {0.123456F, 22580, 3e9F}},
                                  {.feature = 1, .edges = {-34567.8F}}},
                         .values = std::vector<double>(15)};
  const std::string body = draw_surface(effect, "a", "b").body;
  for (const char* label : {">0.1235<", ">22,580<", ">3e+09<", ">-34,568<"}) {
    EXPECT_NE(body.find(label), std::string::npos) << label;
  }
}

TEST(EffectPlot, ChoosesByTheNumberOfFeatures) {
  const GamEffect surface{.axes = {{.feature = 0, .edges = {}}, {.feature = 2, .edges = {}}},
                          .values = {0, 0, 0, 0},
                          .errors = {},
                          .weights = {}};
  const Gam gam({.effects = {curve(), surface}, .num_features = 3});
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(draw_effect(gam, 0, names).title, "a: -1.00 to +2.00");
  EXPECT_EQ(draw_effect(gam, 1, names).title, "a x c: +0.00 to +0.00");
}

}  // namespace
}  // namespace glassrank
