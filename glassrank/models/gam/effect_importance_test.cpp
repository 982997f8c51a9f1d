#include "glassrank/models/gam/effect_importance.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

GamEffect curve(std::vector<double> weights) {
  return {.axes = {{.feature = 0, .edges = {1}}},
          .values = {1, -3, 100},
          .errors = {},
          .weights = std::move(weights)};
}

TEST(EffectImportance, WeighsByRowsAroundTheMean) {
  // Mean (3 * 1 - 3) / 4 = 0; (3 * 1 + 3) / 4 = 1.5.
  EXPECT_EQ(importance_of(curve({3, 1, 0})).weighted, 1.5);
  EXPECT_EQ(importance_of(curve({3, 0, 0})).weighted, 0);  // the same for every row
  EXPECT_EQ(importance_of(curve({})).weighted, std::nullopt);
  EXPECT_EQ(importance_of(curve({0, 0, 0})).weighted, std::nullopt);
}

TEST(EffectImportance, CountsEveryCellAlikeWithoutThoseOfMissingValues) {
  EXPECT_EQ(importance_of(curve({})).unweighted, 2);  // (1 + 3) / 2
  const GamEffect surface{.axes = {{.feature = 0, .edges = {}}, {.feature = 1, .edges = {1}}},
                          .values = {1, -5, 100, 100, 100, 100},
                          .errors = {},
                          .weights = {}};
  EXPECT_EQ(importance_of(surface).unweighted, 3);
}

TEST(EffectImportance, OrdersByWeightsIfAllAreKnown) {
  const std::vector<EffectImportance> known = {{.weighted = 1, .unweighted = 9},
                                               {.weighted = 2, .unweighted = 3},
                                               {.weighted = 2, .unweighted = 4}};
  EXPECT_EQ(effects_by_importance(known), (std::vector<std::size_t>{1, 2, 0}));
  std::vector<EffectImportance> partly = known;
  partly[0].weighted.reset();
  EXPECT_EQ(effects_by_importance(partly), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(EffectImportance, IsATable) {
  GamEffect other = curve({3, 1, 0});
  other.axes[0].feature = 1;
  other.values = {0.5, -1.5, 0};
  const Gam gam({.effects = {other, curve({3, 1, 0})}, .num_features = 2});
  EXPECT_EQ(effect_table(gam, 0),
            "effect     mean |effect|  mean |cell|  cells\n"
            "feature 1         1.5000       2.0000      3  ####################\n"
            "feature 2         0.7500       1.0000      3  ##########\n");
  EXPECT_EQ(effect_table(gam, 1),
            "effect     mean |effect|  mean |cell|  cells\n"
            "feature 1         1.5000       2.0000      3  ####################\n");
  EXPECT_EQ(effect_table(Gam(), 0), "");
}

}  // namespace
}  // namespace glassrank
