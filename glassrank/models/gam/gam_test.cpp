#include "glassrank/models/gam/gam.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// A curve of feature 0 with edges 1, 2 and a surface of features 0 and 2.
GamParts two_effects() {
  GamEffect curve{.axes = {{.feature = 0, .edges = {1, 2}}}, .values = {10, 20, 30, 40}};
  GamEffect surface{.axes = {{.feature = 0, .edges = {1}}, {.feature = 2, .edges = {5}}},
                    .values = {.1, .2, .3, .4, .5, .6, .7, .8, .9}};
  return {.effects = {curve, surface},
          .num_features = 3,
          .feature_names = {"price", "pages", "age"},
          .intercept = 100};
}

std::string message(GamParts parts) {
  try {
    Gam gam(std::move(parts));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Gam, SumsInterceptAndCells) {
  const Gam gam(two_effects());
  EXPECT_EQ(gam.score(std::vector<float>{1, 0, 5}), 100 + 10 + .1);     // edges belong to the left
  EXPECT_EQ(gam.score(std::vector<float>{1.5, 0, 6}), 100 + 20 + .5);   // cells 1 and (1, 1)
  EXPECT_EQ(gam.score(std::vector<float>{3, 0, kNaN}), 100 + 30 + .6);  // cells 2 and (1, 2)
  EXPECT_EQ(gam.score(std::vector<float>{kNaN, 0, 0}), 100 + 40 + .7);  // cells 3 and (2, 0)
  EXPECT_EQ(gam.score(std::vector<float>{kNaN}), 100 + 40 + .9);  // what is not there is missing
}

TEST(Gam, NamesEffectsByFeature) {
  GamParts parts = two_effects();
  EXPECT_EQ(Gam(parts).effect_name(1), "price x age");
  parts.feature_names.clear();
  EXPECT_EQ(Gam(parts).effect_name(1), "feature 1 x feature 3");
}

TEST(Gam, RefusesWhatIsNoTable) {
  const auto with = [](auto change) {
    GamParts parts = two_effects();
    change(parts);
    return message(std::move(parts));
  };
  EXPECT_EQ(with([](GamParts& p) { p.feature_names.pop_back(); }),
            "2 feature names for 3 features");
  EXPECT_EQ(with([](GamParts& p) { p.intercept = kNaN; }), "intercept nan is not finite");
  EXPECT_EQ(with([](GamParts& p) { p.effects[1].axes.clear(); }),
            "effect 1: 0 features; an effect has one or two");
  EXPECT_EQ(with([](GamParts& p) { p.effects[1].axes[1].feature = 3; }),
            "effect 1: feature 4 of 3");
  EXPECT_EQ(with([](GamParts& p) { p.effects[1].axes[1].feature = 0; }),
            "effect 1: feature 1 before feature 1; features must ascend");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].axes[0].edges[1] = 1; }),
            "effect 0: edge 1 after edge 1; edges must ascend");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].axes[0].edges[0] = kNaN; }),
            "effect 0: edge 0 is not a number");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].values.pop_back(); }),
            "effect 0: 3 values for 4 cells");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].values[2] = kNaN; }),
            "effect 0: values nan of cell 2 is not finite");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].errors = {0, 0, -1, 0}; }),
            "effect 0: errors -1 of cell 2 is not a finite number of at least 0");
  EXPECT_EQ(with([](GamParts& p) { p.effects[0].weights = {0}; }),
            "effect 0: 1 weights for 4 cells");
  EXPECT_EQ(with([](GamParts& p) { p.effects.push_back(p.effects[0]); }),
            "effect 2: an earlier effect has the same features");
}

}  // namespace
}  // namespace glassrank
