#include "glassrank/report/plots/effect_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/category_plot.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/row_density.h"
#include "testing/picture_checks.h"

namespace glassrank {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

// With texts of several lines as one.
std::string joined(const std::string& body) {
  return std::regex_replace(body, std::regex("</text>\n<text[^>]*>"), " ");
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
  GamEffect known = effect;
  known.weights.back() = 0;
  const std::vector<std::string> categories = {"red", "green", "blue"};
  EXPECT_EQ(draw_categories(known, "colour", categories).body.find("missing"), std::string::npos);
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
  EXPECT_EQ(draw_surface(surface, {.name = "a"}, {.name = "b"}).body.find("e-35"),
            std::string::npos);
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
  EXPECT_NE(body.find(">0 (75 % of rows)<"), std::string::npos) << body;
  EXPECT_NE(body.find(">1 (25 % of rows)<"), std::string::npos);
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
      draw_curve(small, "b", {.title = "b adds -0.01 to +0.02 to the score", .scale = Span{-1, 2}})
          .body;
  EXPECT_TRUE(body.starts_with(on_scale));  // and then how to read it
  EXPECT_FALSE(body.starts_with(
      draw_curve(small, "b", {.title = "b adds -0.01 to +0.02 to the score"}).body));
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
  const Picture picture = draw_surface(effect, {.name = "price"}, {.name = "pages"});
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
    return joined(draw_effect(Gam({.effects = {effect}, .num_features = 2}), 0, names).body);
  };
  EXPECT_NE(body().find("How to read this: orange cells raise the score"), std::string::npos);
  EXPECT_EQ(body().find("Pale"), std::string::npos);
  effect.weights.assign(12, 1);
  effect.weights[0] = 0;
  EXPECT_NE(body().find("Pale cells hold no row"), std::string::npos);
}

TEST(EffectPlot, SaysWhatIsAddedWithoutTheBand) {
  GamEffect effect = curve();
  effect.errors.assign(effect.values.size(), 0.5);
  const std::vector<std::string> names = {"price"};
  EXPECT_EQ(draw_effect(Gam({.effects = {effect}, .num_features = 1}), 0, names).title,
            "price adds -1.00 to +2.00 to the score");
}

TEST(EffectPlot, TakesAFeatureWithTheOnlyBorder05ForASwitch) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {0.5F}}},
                   .values = {-0.5, 1.5, 0},
                   .errors = {},
                   .weights = {}};
  const std::vector<std::string> names = {"in_stock"};
  const auto body_of = [&](std::span<const FeatureRange> ranges) {
    return draw_effect(Gam({.effects = {effect}, .num_features = 1}), 0, names, ranges).body;
  };
  EXPECT_NE(body_of({}).find(">0<"), std::string::npos);
  EXPECT_NE(body_of({}).find(">1<"), std::string::npos);
  EXPECT_NE(joined(body_of({})).find("taken for 0 and 1, as no data was given"), std::string::npos);
  // Data that knows better is believed.
  const std::vector<FeatureRange> counts = {{0, 9, false}};
  EXPECT_NE(body_of(counts).find(">above 0.5<"), std::string::npos);
  effect.axes[0].edges = {1.5F};
  EXPECT_NE(body_of({}).find(">above 1.5<"), std::string::npos);
}

TEST(EffectPlot, DrawsDotsWithLinesWhereThereAreErrors) {
  GamEffect effect{.axes = {{.feature = 0, .edges = {0.5F}}},
                   .values = {-0.5, 1.5, 0},
                   .errors = {},
                   .weights = {}};
  const std::vector<std::string> names = {"in_stock"};
  const auto circles = [&] {
    const Gam gam({.effects = {effect}, .num_features = 1});
    return count(draw_effect(gam, 0, names).body, "<circle");
  };
  EXPECT_EQ(circles(), 0U);
  effect.errors = {0.1, 0.1, 0.1};
  EXPECT_EQ(circles(), 3U);  // missing ones, too: no rows say that there are none
}

TEST(EffectPlot, CallsTheBarsOfASwitch0And1) {
  const GamEffect effect{.axes = {{.feature = 0, .edges = {0.5F}}},
                         .values = {-0.5, 1.5, 0},
                         .errors = {},
                         .weights = {30, 10, 0}};
  const Gam gam({.effects = {effect}, .num_features = 1});
  const std::vector<std::string> names = {"in_stock"};
  const std::vector<FeatureRange> counts = {{0, 9, false}};
  EXPECT_NE(draw_effect(gam, 0, names, counts).body.find(">above 0.5 (25 % of rows)<"),
            std::string::npos);
  const Picture picture = draw_effect(gam, 0, names, std::vector<FeatureRange>{{0, 1, true}});
  EXPECT_EQ(picture.title, "in_stock adds -0.50 to +1.50 to the score");
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
    EXPECT_GT(room_before_missing(draw_surface(effect, {.name = "a"}, {.name = "b"}).body), 0)
        << num_edges;
  }
}

// Rectangles of the cells, left to right and from below: "M<left> <top>H<right>V<bottom>".
std::vector<Box> cells_of(const std::string& body) {
  std::vector<Box> cells;
  for (std::size_t at = 0; (at = body.find('M', at)) != std::string::npos; ++at) {
    Box box;
    if (std::sscanf(body.c_str() + at, "M%lf %lfH%lfV%lf", &box.left, &box.top, &box.right,
                    &box.bottom) == 4) {
      cells.push_back(box);
    }
  }
  std::ranges::sort(cells, {}, [](const Box& b) { return std::pair(-b.bottom, b.left); });
  return cells;
}

// A surface over 3 x 2 cells and missing ones, every cell of another colour.
GamEffect surface_of(std::vector<float> first, std::vector<float> second) {
  GamEffect effect{.axes = {{.feature = 0, .edges = std::move(first)},
                            {.feature = 1, .edges = std::move(second)}},
                   .values = {},
                   .errors = {},
                   .weights = {}};
  for (std::size_t i = 0; i < effect.num_cells(); ++i) {
    effect.values.push_back(static_cast<double>(i + 1));
  }
  return effect;
}

// No row has a missing value.
GamEffect without_missing(GamEffect effect) {
  effect.weights.assign(effect.num_cells(), 10);
  const std::size_t num_second = effect.axes[1].num_cells();
  for (std::size_t cell = 0; cell < effect.num_cells(); ++cell) {
    if (cell / num_second == effect.axes[0].missing_cell() ||
        cell % num_second == effect.axes[1].missing_cell()) {
      effect.weights[cell] = 0;
    }
  }
  return effect;
}

TEST(SurfacePlot, DrawsCellsAsWideAsTheirRanges) {
  const GamEffect effect = without_missing(surface_of({1, 3}, {10}));
  const std::string body = draw_surface(effect, {.name = "a", .range = FeatureRange{0, 9}},
                                        {.name = "b", .range = FeatureRange{8, 11}})
                               .body;
  const std::vector<Box> cells = cells_of(body);
  ASSERT_EQ(cells.size(), 6U);
  EXPECT_NEAR(cells[0].width() / cells[1].width(), 0.5, 0.01);
  EXPECT_NEAR(cells[2].width() / cells[1].width(), 3, 0.02);
  EXPECT_NEAR((cells[0].bottom - cells[0].top) / (cells[3].bottom - cells[3].top), 2, 0.01);
  EXPECT_EQ(joined(body).find("is not known"), std::string::npos);
}

// The edges are 2 apart; the cells at the ends get 7 % of that, as curves do.
TEST(SurfacePlot, SaysWhereItDoesNotKnowTheRanges) {
  const GamEffect effect = without_missing(surface_of({1, 3}, {10}));
  const std::string body = draw_surface(effect, {.name = "a"}, {.name = "b"}).body;
  EXPECT_NEAR(cells_of(body)[0].width() / cells_of(body)[1].width(), 0.07, 0.01);
  EXPECT_NE(joined(body).find("how far the outermost ones reach is not known"), std::string::npos);
}

TEST(SurfacePlot, HasMissingValuesOnlyWhereRowsHaveThem) {
  GamEffect effect = without_missing(surface_of({1, 3}, {10}));
  const auto body = [&] { return draw_surface(effect, {.name = "a"}, {.name = "b"}).body; };
  EXPECT_EQ(body().find("missing"), std::string::npos);
  effect.weights[effect.axes[0].missing_cell() * effect.axes[1].num_cells()] = 1;
  EXPECT_EQ(count(body(), ">missing<"), 1U);
  EXPECT_EQ(cells_of(body()).size(), 8U);
}

TEST(SurfacePlot, HasTwoEqualCellsForASwitch) {
  // Edges at LightGBM's zero and at 0.5: three cells, one without any value.
  const GamEffect effect = without_missing(surface_of({1e-35F, 0.5F}, {10}));
  const FeatureRange off_or_on{0, 1, true};
  const std::string body =
      draw_surface(effect, {.name = "in_stock", .range = off_or_on}, {.name = "b"}).body;
  const std::vector<Box> cells = cells_of(body);
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_NEAR(cells[0].width(), cells[1].width(), 0.11);
  EXPECT_NE(body.find(">0</text>"), std::string::npos);
  EXPECT_NE(body.find(">1</text>"), std::string::npos);
  EXPECT_EQ(body.find("0.5</text>"), std::string::npos);
}

TEST(SurfacePlot, NamesTheSidesOfASingleBorder) {
  const auto body_of = [](float border) {
    const GamEffect effect = without_missing(surface_of({1, 3}, {border}));
    return draw_surface(effect, {.name = "a"}, {.name = "b"}).body;
  };
  EXPECT_NE(body_of(0.75F).find(">at most 0.75<"), std::string::npos);
  EXPECT_NE(body_of(0.75F).find(">above 0.75<"), std::string::npos);
  EXPECT_EQ(body_of(0.5F).find("above"), std::string::npos);  // a switch: 0 and 1
}

TEST(SurfacePlot, ShowsWhereTheRowsAre) {
  GamEffect effect = surface_of({1, 3}, {10});
  const auto bars = [&] {
    return count(draw_surface(effect, {.name = "a", .range = FeatureRange{0, 9}},
                              {.name = "b", .range = FeatureRange{8, 11}})
                     .body,
                 std::string(kRowColour));
  };
  EXPECT_EQ(bars(), 0U);  // not known
  effect = without_missing(effect);
  EXPECT_EQ(bars(), 50U + 50U);  // slices along either axis
}

TEST(SurfacePlot, NamesCategories) {
  const GamEffect effect =
      without_missing(surface_of({edge_below(0), edge_below(1), edge_below(2)}, {10}));
  const std::vector<std::string> colours = {"red", "green", "blue"};
  const std::string body =
      draw_surface(effect, {.name = "colour", .categories = colours}, {.name = "b"}).body;
  EXPECT_NE(body.find(">red<"), std::string::npos);
  EXPECT_NE(body.find(">green<"), std::string::npos);
  EXPECT_EQ(body.find(">blue<"), std::string::npos);  // shares its cell with what is unseen
  EXPECT_NE(body.find(">others<"), std::string::npos);
  EXPECT_EQ(cells_of(body).size(), 6U);
}

TEST(SurfacePlot, AllHaveOneScaleOfColours) {
  GamEffect small = surface_of({1, 3}, {10});
  GamEffect large = small;
  large.axes[1].feature = 2;
  for (double& value : small.values) value /= 100;
  const std::vector<std::string> names = {"a", "b", "c"};
  const Gam gam({.effects = {small, large}, .num_features = 3});
  EXPECT_EQ(surface_scale(gam), 12);
  const std::string body = draw_effect(gam, 0, names).body;
  EXPECT_NE(body.find(">10<"), std::string::npos);  // on the scale
  EXPECT_NE(joined(body).find("say the same in all maps"), std::string::npos);
}

TEST(SurfacePlot, MarksWhatTheBagsLeaveOpen) {
  GamEffect effect = without_missing(surface_of({1, 3}, {10}));
  effect.errors.assign(effect.num_cells(), 0.1);
  EXPECT_EQ(count(draw_surface(effect, {.name = "a"}, {.name = "b"}).body, "<circle"), 0U);
  effect.errors[effect.axes[1].num_cells()] = effect.values[effect.axes[1].num_cells()];
  EXPECT_EQ(count(draw_surface(effect, {.name = "a"}, {.name = "b"}).body, "<circle"), 1U);
}

TEST(SurfacePlot, IsSoundWithoutUsableEdges) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::vector<float>& edges :
       {std::vector<float>{}, {-kInfinity, kInfinity}, {0.123456F, 22580, 3e9F}, {-34567.8F}}) {
    testing::expect_sound(
        draw_surface(surface_of(edges, {1}), {.name = "price of all"}, {.name = "b"}));
  }
}

TEST(EffectPlot, ASwitchWithMoreEdgesIsTwoBarsAllTheSame) {
  GamEffect effect = curve();
  effect.axes[0].edges = {1e-35F, 0.25F, 0.5F};
  const Gam gam({.effects = {effect}, .num_features = 1});
  const std::vector<std::string> names = {"in_stock"};
  const std::string body = draw_effect(gam, 0, names, std::vector<FeatureRange>{{0, 1, true}}).body;
  EXPECT_NE(body.find(">0<"), std::string::npos);
  EXPECT_NE(body.find(">+0.5<"), std::string::npos);  // the value of its last cell
  EXPECT_EQ(count(body, "<polyline"), 0U);
}

TEST(EffectPlot, ChoosesByTheNumberOfFeatures) {
  const GamEffect surface{.axes = {{.feature = 0, .edges = {}}, {.feature = 2, .edges = {}}},
                          .values = {0, 0, 0, 0},
                          .errors = {},
                          .weights = {}};
  const Gam gam({.effects = {curve(), surface}, .num_features = 3});
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(draw_effect(gam, 0, names).title, "a adds -1.00 to +2.00 to the score");
  EXPECT_EQ(draw_effect(gam, 1, names).title, "a x c adds +0.00 to +0.00 to the score");
}

}  // namespace
}  // namespace glassrank
