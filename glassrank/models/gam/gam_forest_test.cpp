#include "glassrank/models/gam/gam_forest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/models/gam/distil.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Gam curve(std::vector<float> edges, std::vector<double> values) {
  GamEffect effect{.axes = {{.feature = 0, .edges = std::move(edges)}},
                   .values = std::move(values),
                   .errors = {},
                   .weights = {}};
  return Gam({.effects = {effect}, .num_features = 1, .intercept = 1});
}

TEST(GamForest, SplitsInHalvesWhereValuesDiffer) {
  // Cells 5 5 | 7 | 9 and missing 7: the edge 1 is not needed, and missing goes with cell 2.
  const Forest forest = to_forest(curve({1, 2, 3}, {5, 5, 7, 9, 7}));
  ASSERT_EQ(forest.trees().size(), 1U);
  EXPECT_EQ(forest.base_score(), 1);
  EXPECT_EQ(forest.trees()[0].num_leaves(), 3U);
  EXPECT_EQ(forest.score(std::vector<float>{kNaN}), 8);
  EXPECT_EQ(forest.score(std::vector<float>{2}), 6);
}

TEST(GamForest, SendsMissingValuesWhereZeroGoesIfItMay) {
  // All formats without missing values take them as 0: 4 is the cell of 0 and of another.
  const Forest forest = to_forest(curve({-1, 1}, {4, 4.5, 4.5, 4.5}));
  EXPECT_EQ(forest.trees()[0].num_leaves(), 2U);
  EXPECT_FALSE(forest.trees()[0].nodes[0].missing_left);
}

TEST(GamForest, GivesMissingValuesALeafOfTheirOwnWhereTheyDiffer) {
  const Forest forest = to_forest(curve({1, 2}, {5, 6, 7, 100}));
  EXPECT_EQ(forest.trees()[0].num_leaves(), 4U);
  EXPECT_EQ(forest.score(std::vector<float>{kNaN}), 101);
  EXPECT_EQ(forest.score(std::vector<float>{-1e30F}), 6);
  const Forest flat = to_forest(curve({1, 2}, {5, 5, 5, 100}));
  EXPECT_EQ(flat.trees()[0].num_leaves(), 3U);
  EXPECT_EQ(flat.score(std::vector<float>{kNaN}), 101);
  EXPECT_EQ(flat.score(std::vector<float>{3}), 6);
}

TEST(GamForest, KeepsAnEffectThatIsTheSameEverywhere) {
  const Forest forest = to_forest(curve({}, {5, 5}));
  EXPECT_EQ(forest.trees()[0].nodes.size(), 1U);
  EXPECT_EQ(forest.score(std::vector<float>{3}), 6);
}

TEST(GamForest, ScoresToTheBitAsTheTables) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({});
    const Forest forest = to_forest(gam);
    RC_ASSERT(forest.trees().size() == gam.effects().size());
    for (int i = 0; i < 40; ++i) {
      const std::vector<float> row = maker.row(gam);
      RC_ASSERT(forest.score(row) == gam.score(row));
    }
  }));
}

// A surface that depends on one feature only joins that feature's curve: another order of the sum.
TEST(GamForest, ComesBackToTheSameTablesByDistilling) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({.features_per_tree = 2});
    const Gam gam = distil(forest);
    const Gam again = distil(to_forest(gam));
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> row = maker.row(forest);
      RC_ASSERT(std::abs(again.score(row) - gam.score(row)) < 1e-12);
    }
  }));
}

}  // namespace
}  // namespace glassrank
