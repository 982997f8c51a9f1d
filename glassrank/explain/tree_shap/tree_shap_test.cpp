#include "glassrank/explain/tree_shap/tree_shap.h"

#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/on_every_target.h"
#include "testing/random_forests.h"
#include "testing/shap_calls.h"
#include "testing/shap_forests.h"
#include "testing/shapley_oracle.h"

namespace glassrank {
namespace {

using testing::with_threads;

// x0 and x1 > 0.5 give 1, all else 0; both features cut four rows in two halves.
Forest and_forest() {
  const Tree tree{.nodes = {{.feature = 0, .threshold = 0.5F, .left = ~0, .right = 1},
                            {.feature = 1, .threshold = 0.5F, .left = ~1, .right = ~2}},
                  .leaf_values = {0, 0, 1},
                  .statistics = {.leaf_count = {2, 1, 1}}};
  return Forest({.trees = {tree}, .num_features = 2});
}

TEST(TreeShap, AndOfTwoFeaturesByHand) {
  // v() = 1/4, v(0) = v(1) = 1/2, v(0, 1) = 1: each feature adds (1/4 + 1/2) / 2 = 0.375, and
  // together they add 1 - 1/2 - 1/2 + 1/4 more than alone.
  const TreeShap shap(and_forest());
  EXPECT_EQ(shap.base_value(), 0.25);
  EXPECT_EQ(values_of(shap, {1, 1}), (std::vector<double>{0.375, 0.375}));
  // Feature 0 alone sends the row to 0: (0 - 1/4 + 0 - 1/2) / 2; feature 1: (1/2 - 1/4 + 0) / 2.
  EXPECT_EQ(values_of(shap, {0, 1}), (std::vector<double>{-0.375, 0.125}));
  const Interactions all = interactions_of(shap, {1, 1});
  ASSERT_EQ(shap.pairs().size(), 1U);
  EXPECT_EQ(all.sparse, (std::vector<double>{0.25}));
  EXPECT_EQ(all.matrices, (std::vector<double>{0.25, 0.125, 0.125, 0.25}));
}

TEST(TreeShap, OfNoTreeAndOfOneLeafIsNothing) {
  const TreeShap none((Forest({.trees = {}, .num_features = 2, .base_score = 3})));
  EXPECT_EQ(none.base_value(), 3);
  EXPECT_EQ(values_of(none, {1, 1}), (std::vector<double>{0, 0}));
  const Tree leaf{.nodes = {}, .leaf_values = {1.5}, .statistics = {}};
  const TreeShap one((Forest({.trees = {leaf, leaf}, .num_features = 2, .base_score = 1})));
  EXPECT_EQ(one.base_value(), 4);
  EXPECT_EQ(interactions_of(one, {1, 1}).matrices, (std::vector<double>{0, 0, 0, 0}));
}

class RandomForests : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(TreeShap, RandomForests, ::testing::Range<std::uint64_t>(0, 150));

TEST_P(RandomForests, AreExplainedAsTheDefinitionSays) {
  ForestMaker maker(GetParam());
  const Forest forest = with_random_cover(maker.forest({}), GetParam());
  for (const Cover cover : {Cover::kCount, Cover::kHessian}) {
    const TreeShap shap(forest, cover);
    const std::vector<float> row = maker.row(forest);
    const std::vector<double> game = path_dependent_game(forest, cover, row);
    EXPECT_NEAR(game.back(), forest.score(row), 1e-12);
    expect_plays(shap, row, game);
  }
}

TEST(TreeShap, AddsUpToTheScoreAndGivesUnusedFeaturesNothing) {
  Example example = large_example(200, 100);
  ForestParts wider{.trees = {example.forest.trees().begin(), example.forest.trees().end()},
                    .num_features = 22,
                    .base_score = 2};
  const Forest forest(std::move(wider));
  const TreeShap shap(forest);
  for (std::size_t r = 0; r < 100; ++r) {
    std::vector<float> row(example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r),
                           example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r + 20));
    row.resize(22, 1);
    const std::vector<double> values = values_of(shap, row);
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), shap.base_value()), forest.score(row),
                1e-11);
    EXPECT_EQ(values[20], 0);
    EXPECT_EQ(values[21], 0);
  }
}

TEST(TreeShap, OfAChainAsDeepAsYouLikeIsExact) {
  // The last leaf's game is 1 if all features are known, so by symmetry each gets
  // (1 - 2^-depth) / depth of it.
  for (const std::size_t depth : {3U, 16U, 17U, 33U, 100U, 301U}) {
    const TreeShap shap(chain(depth), Cover::kHessian);
    const std::vector<double> values = values_of(shap, std::vector<float>(depth, 1));
    const double expected =
        (1 - std::pow(0.5, static_cast<double>(depth))) / static_cast<double>(depth);
    for (const double value : values) EXPECT_NEAR(value, expected, 1e-15) << depth;
  }
}

TEST(TreeShap, InteractionsOfADeepChainSumToItsValues) {
  const TreeShap shap(chain(40), Cover::kHessian);
  const Interactions all = interactions_of(shap, std::vector<float>(40, 1));
  // All pairs are alike; a pair's is the integral of (1/2)^2 u^38 with u = (1 + p) / 2.
  const double expected = 0.25 * 2 / 39.0 * (1 - std::pow(0.5, 39));
  ASSERT_EQ(all.sparse.size(), 780U);
  for (const double interaction : all.sparse) EXPECT_NEAR(interaction, expected, 1e-14);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto row = all.matrices.begin() + static_cast<std::ptrdiff_t>(40 * i);
    EXPECT_NEAR(std::accumulate(row, row + 40, 0.0), all.values[i], 1e-14);
  }
}

TEST(TreeShap, IsTheSameForAnyThreadsBlocksAndInstructions) {
  const Example example = large_example(300, 1100);
  const TreeShap shap(example.forest);
  const std::vector<double> values = values_of(shap, example.rows);
  const std::vector<float> some(example.rows.begin(), example.rows.begin() + 20L * 37);
  const Interactions interactions = interactions_of(shap, some);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(values_of(shap, example.rows, with_threads(threads)), values);
    EXPECT_EQ(interactions_of(shap, some, with_threads(threads)).sparse, interactions.sparse);
  }
  // Rows one at a time, from the last to the first: neither blocks nor neighbours matter.
  for (std::size_t r = 1100; r-- > 900;) {
    const std::vector<float> row(example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r),
                                 example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r + 20));
    const std::vector<double> alone = values_of(shap, row, with_threads(2));
    EXPECT_EQ(std::memcmp(alone.data(), values.data() + 20 * r, 20 * sizeof(double)), 0);
  }
  on_every_target([&] {
    EXPECT_EQ(values_of(shap, example.rows), values);
    EXPECT_EQ(interactions_of(shap, some).sparse, interactions.sparse);
    EXPECT_EQ(interactions_of(shap, some).matrices, interactions.matrices);
  });
  EXPECT_EQ(std::vector<double>(values.begin(), values.begin() + 20L * 37), interactions.values);
}

TEST(TreeShap, SaysWhatIsWrongWithRowsAndRoom) {
  const TreeShap shap(and_forest());
  std::vector<float> rows(6);
  std::vector<double> out(12);
  const Context context = with_threads(1);
  EXPECT_EQ(message_of([&] { shap.values({rows.data(), 6, 1}, {out.data(), 6, 2}, context); }),
            "rows of 1 features for a model of 2");
  EXPECT_EQ(message_of([&] { shap.values({rows.data(), 3, 2}, {out.data(), 2, 2}, context); }),
            "room for 2 x 2 values where there are 3 x 2");
  EXPECT_EQ(message_of([&] {
              shap.interactions({rows.data(), 3, 2}, {out.data(), 3, 2}, {out.data(), 3, 2},
                                context);
            }),
            "room for 3 x 2 interactions where there are 3 x 1");
  EXPECT_EQ(message_of([&] {
              shap.interaction_matrices({rows.data(), 3, 2}, {out.data(), 3, 2}, context);
            }),
            "room for 3 x 2 interactions where there are 3 x 4");
}

}  // namespace
}  // namespace glassrank
