#include "glassrank/report/plots/effect_plot.h"

#include <limits>

#include <gtest/gtest.h>

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

TEST(CurvePlot, CutsEndsThatHoldHardlyAnyRow) {
  GamEffect effect = curve();
  effect.axes[0].edges = {1, 2, 30'000};
  effect.weights = {500, 497, 2, 1, 0};
  const Picture picture = draw_curve(effect, "price");
  EXPECT_NE(picture.body.find("0.3 % of the rows lie outside"), std::string::npos);
  EXPECT_EQ(picture.body.find(">30,000<"), std::string::npos);
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
