#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/forest/scoring_plan.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/native.h"
#include "glassrank/models/io/xgboost_json.h"
#include "testing/category_forests.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"

namespace glassrank {
namespace {

using testing::category_rows;
using testing::category_twins;
using testing::CategoryTwins;

constexpr std::size_t kFeatures = 4;

CategorySet set_of(std::vector<std::uint32_t> codes) { return CategorySet(codes); }

TEST(CategorySet, HoldsCodesAndWhatIsLeftOfFractions) {
  const CategorySet set = set_of({70, 3, 0});
  EXPECT_EQ(set.codes(), (std::vector<std::uint32_t>{0, 3, 70}));
  for (const float in : {0.0F, 3.0F, 3.99F, 70.5F, -0.5F, -0.0F}) EXPECT_TRUE(set.contains(in));
  for (const float out :
       {1.0F, 2.99F, 71.0F, 127.0F, 128.0F, 1e30F, -1.0F, -3.0F,
        std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_FALSE(set.contains(out)) << out;
  }
  EXPECT_TRUE(set == set_of({0, 3, 70}));
  EXPECT_FALSE(set == set_of({0, 3}));
  EXPECT_FALSE(set == CategorySet());
  EXPECT_FALSE(set_of({}).contains(0));
  EXPECT_FALSE(set_of({}).contains(-0.5F));
  EXPECT_EQ(message_of([] { set_of({1U << 24}); }),
            "category 16777216 is too large; categories are codes below 16777216");
}

TEST(CategorySet, EdgesTellItsValuesApart) {
  const CategorySet set = set_of({0, 1, 5});
  const std::vector<float> edges = edges_of(set);
  EXPECT_TRUE(std::ranges::is_sorted(edges));
  std::size_t cell = 0;
  bool inside = false;
  for (float x = -2; x < 8; x += 0.125F) {
    const auto now = static_cast<std::size_t>(std::ranges::lower_bound(edges, x) - edges.begin());
    if (now == cell) {
      EXPECT_EQ(set.contains(x), inside) << x;
    }
    cell = now;
    inside = set.contains(x);
  }
}

TEST(CategoryForest, ScoresAsItsTwinOfThresholds) {
  const CategoryTwins twins = category_twins(1, 20, 12);
  const std::vector<float> rows = category_rows(1, 300);
  const std::vector<float> twin_rows = twins.twin_rows(rows);
  for (std::size_t r = 0; r < 300; ++r) {
    EXPECT_EQ(twins.sets.score(std::span(rows).subspan(r * kFeatures, kFeatures)),
              twins.thresholds.score(std::span(twin_rows).subspan(r * kFeatures, kFeatures)));
  }
}

// Walks for a few rows, blocks of masks for many, walks again for trees too large for masks.
TEST(CategoryForest, EveryScorerGivesTheBitsOfTheDefinition) {
  for (const std::size_t num_leaves : {2U, 7U, 40U, 5000U}) {
    const CategoryTwins twins = category_twins(num_leaves, num_leaves > 1000 ? 2 : 9, num_leaves);
    const ForestScorer scorer(twins.sets);
    for (const std::size_t num_rows : {1U, 3U, 11U, 64U, 127U, 500U, 1300U}) {
      const std::vector<float> rows = category_rows(num_rows, num_rows);
      const MatrixView<const float> matrix(rows.data(), num_rows, kFeatures);
      std::vector<double> scores(num_rows);
      scorer.score(matrix, scores, Context());
      for (std::size_t r = 0; r < num_rows; ++r) {
        ASSERT_EQ(scores[r], twins.sets.score(matrix.row(r))) << num_leaves << ' ' << num_rows;
      }
    }
  }
}

TEST(CategoryForest, EqualSetsAreOneCondition) {
  const CategoryTwins twins = category_twins(3, 50, 16);
  const ScoringPlan plan = make_scoring_plan(twins.sets);
  EXPECT_LE(plan.categories.size(), 2 * kFeatures);  // by side of missing values
  EXPECT_EQ(plan.first_category(), 0U);
}

Model model_of(const Forest& forest) { return {.body = forest, .provenance = {}}; }

Forest named(const Forest& forest) {
  ForestParts parts{.trees = {forest.trees().begin(), forest.trees().end()},
                    .num_features = kFeatures,
                    .feature_names = {"a", "b", "c", "d"},
                    .base_score = forest.base_score(),
                    .categories = {{}, {"red", "a\nb", "green\t"}, {}, {}}};
  return Forest(std::move(parts));
}

TEST(CategoryForest, NativeFilesAreOfVersion2AndKeepEverything) {
  const Forest forest = named(category_twins(4, 6, 9).sets);
  const std::string text = write_native(model_of(forest));
  EXPECT_TRUE(text.starts_with("glassrank model 2\n"));
  const Model again = read_native(text);
  const Forest read = forest_of(again);
  EXPECT_TRUE(std::ranges::equal(read.trees(), forest.trees()));
  EXPECT_EQ(read.categories(), forest.categories());
  EXPECT_EQ(write_native(again), text);
  EXPECT_TRUE(write_native(model_of(category_twins(4, 6, 9).thresholds))
                  .starts_with("glassrank model 1\n"));
}

void expect_same_scores(const Forest& a, const Forest& b, const std::vector<float>& rows) {
  for (std::size_t r = 0; r < rows.size() / kFeatures; ++r) {
    const auto row = std::span(rows).subspan(r * kFeatures, kFeatures);
    ASSERT_EQ(a.score(row), b.score(row)) << r;
  }
}

// LightGBM sends missing categories right: trees that do so, too, come back as they were.
TEST(CategoryForest, LightgbmFilesKeepSets) {
  Forest forest = named(category_twins(5, 6, 9).sets);
  ForestParts parts{.trees = {forest.trees().begin(), forest.trees().end()},
                    .num_features = kFeatures};
  for (Tree& tree : parts.trees) {
    for (TreeNode& node : tree.nodes) node.missing_left = false;
  }
  forest = Forest(std::move(parts));
  const std::string text = write_lightgbm_text(model_of(forest));
  const Model again = read_lightgbm_text(text);
  expect_same_scores(forest_of(again), forest, category_rows(5, 500));
  EXPECT_NE(text.find("cat_boundaries=0 "), std::string::npos);
}

TEST(CategoryForest, XgboostFilesKeepSetsAndTheSideOfMissingValues) {
  const CategoryTwins twins = category_twins(6, 6, 9);
  const Model again = read_xgboost_json(write_xgboost_json(model_of(twins.sets)), {});
  expect_same_scores(forest_of(again), twins.sets, category_rows(6, 500));
}

TEST(CategoryForest, FormatsOfComparisonsRefuseIt) {
  const Model model = model_of(category_twins(7, 2, 4).sets);
  for (const char* format : {"ranklib", "quickrank", "xgboost-dump", "solr"}) {
    const std::string message = message_of([&] { write_model(model, format, Context()); });
    EXPECT_NE(message.find("it asks for categories, which"), std::string::npos) << message;
  }
}

TEST(CategoryForest, BecomesTablesThatScoreTheSame) {
  const CategoryTwins twins = category_twins(8, 12, 5, 2);
  const Gam gam = distil(twins.sets);
  const std::vector<float> rows = category_rows(8, 500, 2);
  for (std::size_t r = 0; r < 500; ++r) {
    const auto row = std::span(rows).subspan(2 * r, 2);
    ASSERT_NEAR(gam.score(row), twins.sets.score(row), 1e-12) << r;
  }
}

TEST(CategoryForest, TreesAreShownWithTheNamesOfCategories) {
  const std::vector<std::string> names = {"price", "colour"};
  const CategoryNames categories = {{}, {"red", "green", "blue"}};
  const TreeNode node{.feature = 1, .categories = set_of({0, 2, 9})};
  EXPECT_EQ(condition_text(node, names, categories), "colour in {red, blue, #9}");
  EXPECT_EQ(condition_text({.feature = 0, .threshold = 2.5F}, names, categories), "price <= 2.5");
}

TEST(CategoryForest, ZeroCannotBeMissingWhereCategoriesAreAskedFor) {
  Tree tree{
      .nodes = {{.left = ~0, .right = ~1, .zero_is_missing = true, .categories = set_of({1})}},
      .leaf_values = {0, 1},
      .statistics = {}};
  EXPECT_EQ(message_of([&] { validate(tree, 1); }),
            "node 0: zero cannot count as missing where categories are asked for");
}

}  // namespace
}  // namespace glassrank
