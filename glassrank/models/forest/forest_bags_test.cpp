#include "glassrank/models/forest/forest_bags.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

// feature <= threshold: left, else right.
Tree stump(std::uint32_t feature, float threshold, double left, double right) {
  return {.nodes = {{.feature = feature, .threshold = threshold, .left = ~0, .right = ~1}},
          .leaf_values = {left, right},
          .statistics = {}};
}

// Both features <= 0: a, only the first: b, else c.
Tree pair_tree(double a, double b, double c) {
  return {.nodes = {{.feature = 0, .threshold = 0, .left = 1, .right = ~2},
                    {.feature = 1, .threshold = 0, .left = ~0, .right = ~1}},
          .leaf_values = {a, b, c},
          .statistics = {}};
}

Forest forest(std::vector<Tree> trees, double base = 0) {
  return Forest({.trees = std::move(trees),
                 .num_features = 2,
                 .feature_names = {"a", "b"},
                 .base_score = base,
                 .objective = "lambdarank"});
}

TEST(ForestBags, MeanScoresAreTheMeansOfTheScores) {
  const std::vector<Forest> bags = {forest({stump(0, 1, 1, 3), pair_tree(1, 2, 4)}, 2),
                                    forest({stump(0, 2, -1, 5)}, 4)};
  const Forest mean = mean_forest(bags);
  EXPECT_EQ(mean.trees().size(), 3U);
  EXPECT_EQ(mean.base_score(), 3);
  EXPECT_EQ(mean.objective(), "lambdarank");
  EXPECT_EQ(mean.feature_names()[1], "b");
  for (const std::vector<float>& row :
       {std::vector<float>{0, 0}, {0, 1}, {1.5, 0}, {3, 3}, {NAN, 0}, {1, NAN}}) {
    EXPECT_EQ(mean.score(row), (bags[0].score(row) + bags[1].score(row)) / 2);  // halves are exact
  }
}

TEST(ForestBags, MeanOfOneIsThatOne) {
  const std::vector<Forest> bags = {forest({stump(0, 1, 0.1, 0.3)}, 0.7)};
  const Forest mean = mean_forest(bags);
  EXPECT_EQ(mean.trees()[0], bags[0].trees()[0]);
  EXPECT_EQ(mean.base_score(), 0.7);
  EXPECT_TRUE(with_bag_errors(distil(mean), bags).effects()[0].errors.empty());
}

// Bag 1 steps from 0 to 4 at 1, bag 2 from 0 to 2 at 2; cells x <= 1, (1, 2], > 2, missing (right).
// Without weights: values 0 4 4 4 and 0 0 2 2; deviations 0 2 1 1.
TEST(ForestBags, ErrorsAreDeviationsOverBagsInTheCellsOfBoth) {
  const std::vector<Forest> bags = {forest({stump(0, 1, 0, 4)}), forest({stump(0, 2, 0, 2)})};
  const Gam gam = with_bag_errors(distil(mean_forest(bags)), bags);
  ASSERT_EQ(gam.effects().size(), 1U);
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{0, 2, 3, 3}));
  EXPECT_EQ(gam.effects()[0].errors, (std::vector<double>{0, 2, 1, 1}));
}

// The same with all rows above 2: shifted by 4 and by 2, the bags have -4 0 0 0 and -2 -2 0 0.
TEST(ForestBags, ErrorsAreOfCentredTables) {
  const std::vector<Forest> bags = {forest({stump(0, 1, 0, 4)}), forest({stump(0, 2, 0, 2)})};
  GamParts parts = distil(mean_forest(bags)).parts();
  parts.effects[0].weights = {0, 0, 5, 0};
  const Gam gam = with_bag_errors(Gam(parts), bags);
  EXPECT_EQ(gam.effects()[0].errors, (std::vector<double>{1, 1, 0, 0}));
  EXPECT_EQ(gam.effects()[0].values, (std::vector<double>{0, 2, 3, 3}));
}

// Cells by row: the first feature <= 0, > 0, missing; the second likewise.
TEST(ForestBags, AnEffectThatABagLacksIsZeroThere) {
  const std::vector<Forest> bags = {forest({pair_tree(2, 4, 6)}), forest({stump(1, 0, 1, 1)})};
  const Gam gam = with_bag_errors(distil(mean_forest(bags)), bags);
  ASSERT_EQ(gam.effects().size(), 2U);  // the curve of b, then the surface
  EXPECT_EQ(gam.effects()[0].errors, (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(gam.effects()[1].errors, (std::vector<double>{1, 2, 2, 3, 3, 3, 3, 3, 3}));
}

}  // namespace
}  // namespace glassrank
