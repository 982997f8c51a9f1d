#include "glassrank/explain/tree_shap/interventional_shap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/leaf_game.h"
#include "glassrank/explain/tree_shap/pattern_index.h"
#include "glassrank/explain/tree_shap/tree_shap.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/shap_calls.h"
#include "testing/shap_forests.h"

namespace glassrank {
namespace {

using testing::with_threads;

MatrixView<const float> view_of(const std::vector<float>& rows, std::size_t width) {
  return {rows.data(), rows.size() / width, width};
}

InterventionalTreeShap engine_of(const Forest& forest, const std::vector<float>& background,
                                 int threads = 1) {
  return InterventionalTreeShap(forest, view_of(background, forest.num_features()),
                                with_threads(threads));
}

TEST(InterventionalTreeShap, AndOfTwoFeaturesByHand) {
  const Tree tree{.nodes = {{.feature = 0, .threshold = 0.5F, .left = ~0, .right = 1},
                            {.feature = 1, .threshold = 0.5F, .left = ~1, .right = ~2}},
                  .leaf_values = {0, 0, 1},
                  .statistics = {}};
  const Forest forest({.trees = {tree}, .num_features = 2});
  // Background (0, 0): both are needed, each gets half. Background (0, 1): feature 0 does it all.
  const InterventionalTreeShap both = engine_of(forest, {0, 0});
  EXPECT_EQ(both.base_value(), 0);
  EXPECT_EQ(values_of(both, {1, 1}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(interactions_of(both, {1, 1}).sparse, (std::vector<double>{1}));
  EXPECT_EQ(values_of(engine_of(forest, {0, 1}), {1, 1}), (std::vector<double>{1, 0}));
  const InterventionalTreeShap mixed = engine_of(forest, {0, 0, 0, 1});
  EXPECT_EQ(values_of(mixed, {1, 1}), (std::vector<double>{0.75, 0.25}));
}

class InterventionalForests : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(TreeShap, InterventionalForests, ::testing::Range<std::uint64_t>(0, 120));

TEST_P(InterventionalForests, AreExplainedAsTheDefinitionSays) {
  ForestMaker maker(GetParam());
  const Forest forest = maker.forest({});
  std::vector<float> background;
  for (std::uint64_t b = 0; b <= GetParam() % 7; ++b) {
    const std::vector<float> row = maker.row(forest);
    background.insert(background.end(), row.begin(), row.end());
  }
  const InterventionalTreeShap shap = engine_of(forest, background);
  const std::vector<float> row = maker.row(forest);
  expect_plays(shap, row, interventional_game(forest, row, background));
}

TEST(InterventionalTreeShap, OfEqualBackgroundRowsIsThatOfOne) {
  const Example example = large_example(40, 50);
  std::vector<float> one(example.rows.begin(), example.rows.begin() + 20);
  std::vector<float> four;
  for (int i = 0; i < 4; ++i) four.insert(four.end(), one.begin(), one.end());
  EXPECT_EQ(values_of(engine_of(example.forest, one), example.rows),
            values_of(engine_of(example.forest, four), example.rows));
}

TEST(InterventionalTreeShap, OfTwoDocumentsIsAntisymmetric) {
  const Example example = large_example(40, 2);
  const std::vector<float> a(example.rows.begin(), example.rows.begin() + 20);
  const std::vector<float> b(example.rows.begin() + 20, example.rows.end());
  const std::vector<double> a_over_b = values_of(engine_of(example.forest, b), a);
  const std::vector<double> b_over_a = values_of(engine_of(example.forest, a), b);
  double sum = 0;
  for (std::size_t f = 0; f < 20; ++f) {
    EXPECT_NEAR(a_over_b[f], -b_over_a[f], 1e-13);
    sum += a_over_b[f];
  }
  EXPECT_NEAR(sum, example.forest.score(a) - example.forest.score(b), 1e-12);
}

TEST(InterventionalTreeShap, OfAllCombinationsIsThePathDependentOne) {
  // Where features are independent in the background and cover is counted from it, a share of
  // cover is the chance of a decision.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({.infinite_thresholds = false});
    const std::size_t n = forest.num_features();
    if (n > 6) continue;
    const std::vector<float> low = maker.row(forest);
    const std::vector<float> high = maker.row(forest);
    const std::size_t num_rows = std::size_t{1} << n;
    const Dataset data = testing::data_of_values(num_rows, n, [&](std::size_t r, std::size_t f) {
      return (r >> f & 1) != 0 ? high[f] : low[f];
    });
    const std::vector<float> rows(data.features().data(), data.features().data() + num_rows * n);
    const Forest counted = with_cover_from(forest, data, with_threads(1));
    const TreeShap by_path(counted);
    const InterventionalTreeShap by_rows = engine_of(forest, rows);
    EXPECT_NEAR(by_path.base_value(), by_rows.base_value(), 1e-12);
    const Interactions a = interactions_of(by_path, rows);
    const Interactions b = interactions_of(by_rows, rows);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      EXPECT_NEAR(a.values[i], b.values[i], 1e-12);
    }
    for (std::size_t i = 0; i < a.matrices.size(); ++i) {
      EXPECT_NEAR(a.matrices[i], b.matrices[i], 1e-12);
    }
  }
}

TEST(InterventionalTreeShap, OfPathsOfMoreThan64FeaturesIsExact) {
  // Row all 1, background all -1: every feature is needed for the last leaf, which is worth 1. The
  // others are worth nothing. With a second background row that passes the first half, only the
  // other half is needed.
  for (const std::size_t depth : {63U, 64U, 65U, 130U}) {
    const Forest forest = chain(depth);
    const auto size = static_cast<double>(depth);
    const std::vector<float> row(depth, 1);
    std::vector<float> background(depth, -1);
    const InterventionalTreeShap one = engine_of(forest, background);
    for (const double value : values_of(one, row)) EXPECT_NEAR(value, 1 / size, 1e-15);
    const Interactions pairs = interactions_of(one, row);
    EXPECT_EQ(pairs.sparse.size(), depth * (depth - 1) / 2);
    for (const double value : pairs.sparse) EXPECT_NEAR(value, 1 / (size - 1), 1e-15);
    const std::size_t half = depth / 2;
    background.insert(background.end(), half, 1);
    background.insert(background.end(), depth - half, -1);
    const std::vector<double> values = values_of(engine_of(forest, background), row);
    for (std::size_t f = 0; f < depth; ++f) {
      const double expected = 0.5 / size + (f < half ? 0 : 0.5 / static_cast<double>(depth - half));
      EXPECT_NEAR(values[f], expected, 1e-15) << depth << ' ' << f;
    }
  }
}

TEST(InterventionalTreeShap, OfWideLeavesPlaysAsNarrowOnesDo) {
  const PatternLeaf leaf{.value = 2, .features = {0, 1, 2, 3, 4}, .splits = {}};
  const PathWeights weights(5);
  LeafBackground narrow{
      .patterns = {0b00111, 0b10101, 0b11110, 0b11111}, .counts = {1, 1, 1, 1}, .wide = {}};
  LeafBackground wide;
  for (const std::uint64_t pattern : narrow.patterns) {
    std::vector<std::uint8_t>& passes = wide.wide.emplace_back();
    for (std::size_t i = 0; i < 5; ++i) passes.push_back(pattern >> i & 1);
  }
  const LeafGame by_pattern{.leaf = leaf, .background = narrow, .weights = weights, .scale = 0.5};
  const LeafGame by_row{.leaf = leaf, .background = wide, .weights = weights, .scale = 0.5};
  for (std::uint64_t pattern = 0; pattern < 32; ++pattern) {
    std::vector<std::uint8_t> passes;
    for (std::size_t i = 0; i < 5; ++i) passes.push_back(pattern >> i & 1);
    std::vector<double> a(5);
    std::vector<double> b(5);
    by_pattern.values(pattern, a);
    by_row.wide_values(passes, b);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(a[i], b[i], 1e-15);
    std::vector<double> pairs_a(10);
    std::vector<double> pairs_b(10);
    by_pattern.interactions(pattern, pairs_a);
    by_row.wide_interactions(passes, pairs_b);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(pairs_a[i], pairs_b[i], 1e-15);
  }
}

TEST(InterventionalTreeShap, IsTheSameForAnyThreadsAndBlocks) {
  const Example example = large_example(150, 600);
  const std::vector<float> background(example.rows.begin(), example.rows.begin() + 20L * 30);
  const InterventionalTreeShap shap = engine_of(example.forest, background);
  const std::vector<double> values = values_of(shap, example.rows);
  const std::vector<float> some(example.rows.begin(), example.rows.begin() + 20L * 100);
  const Interactions interactions = interactions_of(shap, some);
  for (const int threads : {2, 4}) {
    const InterventionalTreeShap again = engine_of(example.forest, background, threads);
    EXPECT_EQ(values_of(again, example.rows, with_threads(threads)), values);
    EXPECT_EQ(interactions_of(again, some, with_threads(threads)).sparse, interactions.sparse);
  }
  for (std::size_t r = 570; r < 600; ++r) {
    const std::vector<float> row(example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r),
                                 example.rows.begin() + static_cast<std::ptrdiff_t>(20 * r + 20));
    const std::vector<double> expected(values.begin() + static_cast<std::ptrdiff_t>(20 * r),
                                       values.begin() + static_cast<std::ptrdiff_t>(20 * r + 20));
    EXPECT_EQ(values_of(shap, row), expected);
  }
  EXPECT_EQ(std::vector<double>(values.begin(), values.begin() + 20L * 100), interactions.values);
}

TEST(InterventionalTreeShap, SaysWhatIsWrongWithTheBackground) {
  const Forest forest({.trees = {}, .num_features = 2});
  EXPECT_EQ(message_of([&] { engine_of(forest, {}); }),
            "interventional values need background rows; there are none");
  const std::vector<float> row(1);
  EXPECT_EQ(message_of([&] {
              const InterventionalTreeShap shap(forest, view_of(row, 1), with_threads(1));
            }),
            "background rows of 1 features for a model of 2");
}

TEST(PatternIndex, NumbersDifferentPatternsInOrder) {
  PatternIndex index;
  for (int round = 0; round < 3; ++round) {
    index.clear();
    for (std::uint64_t i = 0; i < PatternIndex::kMaxPatterns; ++i) {
      const std::uint64_t pattern = i % 2 == 0 ? i : ~std::uint64_t{0} << (i % 50) ^ i;
      const std::size_t number = index.number_of(pattern);
      EXPECT_EQ(index.patterns()[number], pattern);
      EXPECT_EQ(index.number_of(pattern), number);
    }
  }
  index.clear();
  EXPECT_EQ(index.number_of(7), 0U);
}

}  // namespace
}  // namespace glassrank
