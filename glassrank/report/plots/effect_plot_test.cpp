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
  EXPECT_EQ(count(picture.body, "<rect"), 4U);
  EXPECT_NE(picture.body.find("band: 2 standard deviations over bags"), std::string::npos);
  EXPECT_NE(picture.body.find(">50 %<"), std::string::npos);
  EXPECT_NE(picture.body.find(">none<"), std::string::npos);  // no row has a missing value
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

TEST(CurvePlot, SaysNoneBetweenGridLines) {
  // Grid lines at -2, 0 and 2 at least: 0 runs through the middle.
  GamEffect effect = curve();
  effect.values = {-2, 2, -2, 2, 0};
  effect.weights = {1, 1, 1, 1, 0};
  const std::string body = draw_curve(effect, "price").body;
  const std::size_t at = body.rfind("<text", body.find(">none<"));
  const std::size_t start = body.find(" y=\"", at) + 4;
  const double y = std::stod(body.substr(start));
  for (std::size_t line = 0; (line = body.find("<line", line)) != std::string::npos; ++line) {
    const double y1 = std::stod(body.substr(body.find(" y1=\"", line) + 5));
    const double y2 = std::stod(body.substr(body.find(" y2=\"", line) + 5));
    if (y1 != y2) continue;
    EXPECT_GT(std::abs(y - 4 - y1), 8) << body.substr(line, 80);
  }
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
    EXPECT_EQ(count(picture.body, "<polyline"), 1U);
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
  EXPECT_EQ(picture.body.find("pale"), std::string::npos);
  effect.weights.assign(12, 1);
  effect.weights[0] = 0;
  EXPECT_NE(draw_surface(effect, "a", "b").body.find("pale cells hold no row"), std::string::npos);
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
  EXPECT_EQ(draw_effect(gam, 0, names).title, "a");
  EXPECT_EQ(draw_effect(gam, 1, names).title, "a x c");
}

}  // namespace
}  // namespace glassrank
