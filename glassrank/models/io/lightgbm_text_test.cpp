#include "glassrank/models/io/lightgbm_text.h"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x1 <= -0.1 ? 1 : (x0 <= 0.3 ? 2 : 3), shaped as LightGBM writes it; the threshold 0.3 is above
// the float32 below it. Decision type 10 is NaN-missing going left, 8 NaN-missing going right.
std::string model_text(const std::string& from = "", const std::string& to = "") {
  std::string text =
      "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
      "max_feature_idx=1\nobjective=lambdarank\nfeature_names=bm25 year\n"
      "feature_infos=[0:1] [-5:5]\ntree_sizes=400\n\n"
      "Tree=0\nnum_leaves=3\nnum_cat=0\nsplit_feature=1 0\nsplit_gain=2.5 1.5\n"
      "threshold=-0.10000000000000001 0.29999999999999999\ndecision_type=10 8\n"
      "left_child=-1 -2\nright_child=1 -3\nleaf_value=1 2 3\nleaf_weight=10 20 30\n"
      "leaf_count=5 6 7\ninternal_value=0 0.5\ninternal_weight=60 50\ninternal_count=18 13\n"
      "is_linear=0\nshrinkage=0.1\n\n\nend of trees\n\nfeature_importances:\nbm25=1\nyear=1\n\n"
      "parameters:\n[boosting: gbdt]\n[data: ]\n\nend of parameters\n\npandas_categorical:null\n";
  if (!from.empty()) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
  }
  return text;
}

Forest read_forest(const std::string& text) { return forest_of(read_lightgbm_text(text)); }

std::string problem_of(const std::string& from, const std::string& to) {
  return message_of([&] { read_lightgbm_text(model_text(from, to)); });
}

TEST(LightgbmText, IsRead) {
  const Model model = read_lightgbm_text(model_text());
  const Forest forest = forest_of(model);
  EXPECT_EQ(forest.objective(), "lambdarank");
  EXPECT_EQ(forest.feature_names()[1], "year");
  EXPECT_EQ(forest.base_score(), 0);
  ASSERT_EQ(forest.trees().size(), 1U);
  const Tree& tree = forest.trees()[0];
  EXPECT_EQ(
      tree.nodes[0],
      (TreeNode{.feature = 1, .threshold = -0.1F, .left = ~0, .right = 1, .missing_left = true}));
  EXPECT_EQ(tree.nodes[1], (TreeNode{.feature = 0,
                                     .threshold = 0.29999998F,  // 0.3F itself is above 0.3
                                     .left = ~1,
                                     .right = ~2}));
  EXPECT_EQ(tree.statistics.node_gain, (std::vector<double>{2.5, 1.5}));
  EXPECT_EQ(tree.statistics.leaf_count, (std::vector<std::uint64_t>{5, 6, 7}));
  EXPECT_EQ(forest.score(std::array{0.3F, 1.0F}), 3);
  EXPECT_EQ(forest.score(std::array{0.3F, kNan}), 1);
  const Provenance expected = {{"format", "lightgbm v4"},
                               {"lightgbm.feature_infos", "[0:1] [-5:5]"},
                               {"lightgbm.boosting", "gbdt"},
                               {"lightgbm.data", ""}};
  EXPECT_EQ(model.provenance, expected);
  EXPECT_TRUE(same_trees(forest, read_forest(model_text("version=v4", "version=v3"))));
}

// decision types: None is 0, Zero 4, NaN 8; 2 more for default left.
TEST(LightgbmText, BringsEveryMissingTypeToOurRule) {
  const auto node = [](const std::string& decision_type) {
    return read_forest(model_text("decision_type=10 8", "decision_type=" + decision_type + " 8"))
        .trees()[0]
        .nodes[0];
  };
  // None: NaN is 0, which is above the threshold -0.1 whatever the default side is.
  EXPECT_FALSE(node("0").missing_left);
  EXPECT_FALSE(node("2").missing_left);
  EXPECT_FALSE(node("2").zero_is_missing);
  EXPECT_FALSE(node("4").missing_left);
  EXPECT_TRUE(node("6").missing_left);
  EXPECT_TRUE(node("6").zero_is_missing);
  EXPECT_FALSE(node("8").missing_left);
  EXPECT_TRUE(node("10").missing_left);
  EXPECT_FALSE(node("10").zero_is_missing);
  // None with the threshold 0.3: 0 goes left.
  EXPECT_TRUE(read_forest(model_text("decision_type=10 8", "decision_type=10 0"))
                  .trees()[0]
                  .nodes[1]
                  .missing_left);
}

TEST(LightgbmText, DividesLeavesOfARandomForest) {
  const std::string tree = model_text().substr(model_text().find("Tree=0"));
  std::string text = model_text("objective=lambdarank\n", "objective=lambdarank\naverage_output\n");
  text.replace(text.find("tree_sizes=400"), 14, "tree_sizes=400 400");
  std::string second = tree.substr(0, tree.find("end of trees"));
  second.replace(0, 6, "Tree=1");
  text.insert(text.find("end of trees"), second);
  EXPECT_EQ(read_forest(text).trees()[1].leaf_values, (std::vector<double>{0.5, 1, 1.5}));
}

TEST(LightgbmText, WritesTreeSizesThatFindEveryTree) {
  const std::string text =
      write_lightgbm_text({.body = ForestMaker(7).forest({}), .provenance = {}});
  LineReader lines(text);
  std::size_t at = text.find("\n\n") + 2;
  std::size_t index = 0;
  while (!lines.peek().starts_with("tree_sizes=")) lines.next();
  for (const std::string_view word : split_words(lines.next().substr(11))) {
    std::uint64_t size = 0;
    ASSERT_TRUE(parse_number(word, size));
    EXPECT_TRUE(text.substr(at).starts_with(fmt::format("Tree={}\n", index++)));
    at += size;
  }
  EXPECT_GT(index, 1U);
  EXPECT_TRUE(text.substr(at).starts_with("end of trees\n"));
}

TEST(LightgbmText, WritesBackWhatItRead) {
  const Model model = read_lightgbm_text(model_text());
  const std::string text = write_lightgbm_text(model);
  EXPECT_NE(text.find("feature_infos=[0:1] [-5:5]\n"), std::string::npos);
  EXPECT_NE(text.find("feature_importances:\nbm25=1\nyear=1\n\nparameters:\n[boosting: gbdt]\n"
                      "[data: ]\n\nend of parameters\n"),
            std::string::npos);
  EXPECT_EQ(write_lightgbm_text(read_lightgbm_text(text)).size(), text.size());
}

TEST(LightgbmText, KeepsForestsBitForBit) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const Forest read = read_forest(write_lightgbm_text({.body = forest, .provenance = {}}));
    const std::size_t first = forest.base_score() == 0 ? 0 : 1;
    RC_ASSERT(read.trees().size() == forest.trees().size() + first);
    if (first == 1) RC_ASSERT(read.trees()[0].leaf_values[0] == forest.base_score());
    for (std::size_t t = 0; t < forest.trees().size(); ++t) {
      RC_ASSERT(read.trees()[t + first] == forest.trees()[t]);
    }
    RC_ASSERT(read.objective() == forest.objective());
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> row = maker.row(forest);
      RC_ASSERT(read.score(row) == forest.score(row));
    }
  }));
}

TEST(LightgbmText, PutsUnderscoresForBlanksInNames) {
  const Forest forest({.trees = {}, .num_features = 2, .feature_names = {"page rank", ""}});
  const std::string text = write_lightgbm_text({.body = forest, .provenance = {}});
  EXPECT_NE(text.find("feature_names=page_rank _\nfeature_infos=none none\n"), std::string::npos);
}

TEST(LightgbmText, RefusesWhatItCannotExpress) {
  EXPECT_EQ(problem_of("version=v4", "version=v1"),
            "LightGBM model version 'v1' is not supported; v2 to v4 are");
  EXPECT_EQ(problem_of("num_class=1", "num_class=3"),
            "num_class=3: only models with one score per row are supported");
  EXPECT_EQ(problem_of("num_cat=0", "num_cat=1"), "tree 0: 'cat_threshold=' is missing");
  EXPECT_EQ(problem_of("num_cat=0", "num_cat=1\ncat_boundaries=0 3\ncat_threshold=5 6"),
            "tree 0: cat_boundaries do not fit the 2 words of cat_threshold");
  EXPECT_EQ(problem_of("num_cat=0", "num_cat=9\ncat_boundaries=0 1\ncat_threshold=5"),
            "tree 0: num_cat is 9, cat_threshold has 1 words");
  EXPECT_EQ(problem_of("decision_type=10 8", "decision_type=1 8"),
            "tree 0: the set of categories -0.1 is none of the 0 there are");
  EXPECT_EQ(problem_of("is_linear=0", "is_linear=1"), "tree 0: linear trees are not supported");
  EXPECT_EQ(problem_of("decision_type=10 8", "decision_type=12 8"),
            "tree 0: decision_type 12 is unknown");
}

TEST(LightgbmText, SaysWhatIsWrong) {
  EXPECT_EQ(message_of([] { read_lightgbm_text("forest\n"); }),
            "not a LightGBM model: its first line must be 'tree'");
  EXPECT_EQ(problem_of("num_class=1\n", ""), "'num_class=' is missing");
  EXPECT_EQ(problem_of("max_feature_idx=1", "max_feature_idx=x"),
            "max_feature_idx: 'x' is not a number");
  EXPECT_EQ(problem_of("max_feature_idx=1", "max_feature_idx=-2"), "max_feature_idx=-2 is below 0");
  EXPECT_EQ(problem_of("max_feature_idx=1", "max_feature_idx=2147483647"),
            "feature_names has 2 names for 2147483648 features");
  EXPECT_EQ(problem_of("num_leaves=3", "num_leaves=0"), "tree 0: a tree has at least one leaf");
  EXPECT_EQ(problem_of("num_leaves=3", "num_leaves=18446744073709551615"),
            "tree 0: leaf_value has 3 values, not 18446744073709551615");
  EXPECT_EQ(problem_of("leaf_value=1 2 3", "leaf_value=1 2 x"),
            "tree 0: leaf_value: 'x' is not a number");
  EXPECT_EQ(problem_of("threshold=-0.1", "threshold=nan -0.1"),
            "tree 0: threshold has 3 values, not 2");
  EXPECT_EQ(problem_of("threshold=-0.10000000000000001", "threshold=nan"),
            "tree 0: a threshold is NaN");
  EXPECT_EQ(
      problem_of("left_child=-1 -2", "left_child=0 -2"),
      "tree 0: node 0: child node 0 is already the child of another node or its own ancestor");
  EXPECT_EQ(problem_of("split_feature=1 0", "split_feature=2 0"),
            "tree 0: node 0: feature 2 of a model with 2 features");
  EXPECT_EQ(problem_of("Tree=0", "Tree=1"), "line 12: 'Tree=0' is expected here");
  EXPECT_EQ(problem_of("tree_sizes=400", "tree_sizes=400 400"),
            "tree_sizes names 2 trees, the model has 1");
  const std::string text = model_text();
  EXPECT_EQ(message_of([&] { read_lightgbm_text(text.substr(0, text.find("end of trees"))); }),
            "the model is cut off: 'end of trees' is missing");
  EXPECT_EQ(message_of([&] { read_lightgbm_text(text.substr(0, text.find("end of param"))); }),
            "the model is cut off: 'end of parameters' is missing");
}

}  // namespace
}  // namespace glassrank
