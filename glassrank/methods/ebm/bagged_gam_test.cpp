#include "glassrank/methods/ebm/bagged_gam.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(BaggedGam, IsTheMeanOfCentredTablesWithTheirDeviation) {
  BaggedModel model{.num_features = 1, .feature_names = {"f"}, .objective = "squared_error"};
  // Weights 1 and 3: means (0 + 3 * 4) / 4 = 3 and (10 + 3 * 6) / 4 = 7. Centred: -3, 1 and 3, -1.
  model.effects.push_back({.axes = {{.feature = 0, .edges = {0.5F}}},
                           .weights = {1, 3, 0},
                           .tables = {{0, 4, 100}, {10, 6, -50}}});
  model.intercepts = {1, 2};
  const Gam gam = average_bags(std::move(model));
  EXPECT_DOUBLE_EQ(gam.intercept(), (1 + 3 + 2 + 7) / 2.0);
  const GamEffect& effect = gam.effects()[0];
  EXPECT_EQ(effect.values, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(effect.errors, (std::vector<double>{3, 1, 0}));
  EXPECT_EQ(effect.weights, (std::vector<double>{1, 3, 0}));
  EXPECT_EQ(gam.objective(), "squared_error");
}

TEST(BaggedGam, KeepsMissingCellsThatWereSeen) {
  BaggedModel model{.num_features = 2, .feature_names = {"f", "g"}};
  // A surface of 2 x 2 values; the second feature was missing once, the first never.
  model.effects.push_back({.axes = {{.feature = 0, .edges = {0}}, {.feature = 1, .edges = {0}}},
                           .weights = {1, 1, 2, 0, 0, 0, 0, 0, 0},
                           .tables = {{1, 3, 2, 5, 5, 5, 9, 9, 9}}});
  model.intercepts = {0};
  const Gam gam = average_bags(std::move(model));
  EXPECT_EQ(gam.intercept(), 2);
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{-1, 1, 0, 3, 3, 3, 0, 0, 0}));
  EXPECT_TRUE(gam.effects()[0].errors.empty());  // one bag has no deviation
}

}  // namespace
}  // namespace glassrank
