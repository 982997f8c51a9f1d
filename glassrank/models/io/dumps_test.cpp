// Dumps of trees in JSON: XGBoost's, LightGBM's, Solr's, CatBoost's; and what a file is, before it
// is read.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/models/io/catboost_json.h"
#include "glassrank/models/io/foreign_models.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/lacks.h"
#include "glassrank/models/io/lightgbm_dump.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/solr_json.h"
#include "glassrank/models/io/xgboost_dump.h"
#include "glassrank/models/io/xgboost_json.h"
#include "testing/category_forests.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Warnings : LogSink {
  void log(LogLevel, std::string_view message) override { messages.emplace_back(message); }
  std::vector<std::string> messages;
};

// price < 9.5 ? 0.25 : (bm25 < 2 ? 1 : -0.5); missing price left, missing bm25 right.
constexpr std::string_view kXgboost = R"([
  {"nodeid": 0, "depth": 0, "split": "price", "split_condition": 9.5, "yes": 1, "no": 2,
   "missing": 1, "gain": 3.5, "cover": 12, "children": [
     {"nodeid": 2, "depth": 1, "split": "bm25", "split_condition": 2, "yes": 5, "no": 4,
      "missing": 4, "gain": 1.5, "cover": 8, "children": [
        {"nodeid": 4, "leaf": -0.5, "cover": 5}, {"nodeid": 5, "leaf": 1, "cover": 3}]},
     {"nodeid": 1, "leaf": 0.25, "cover": 4}]}])";

TEST(XgboostDump, ChildrenAreFoundByTheirIds) {
  const Model model = read_xgboost_dump(kXgboost);
  const Forest forest = forest_of(model);
  EXPECT_EQ(std::vector<std::string>(forest.feature_names().begin(), forest.feature_names().end()),
            (std::vector<std::string>{"price", "bm25"}));
  const auto score = [&](float price, float bm25) {
    return forest.score(std::vector{price, bm25});
  };
  EXPECT_EQ(score(9, 0), 0.25);
  EXPECT_EQ(score(9.5, 1), 1);
  EXPECT_EQ(score(10, 2), -0.5);
  EXPECT_EQ(score(kNan, 2), 0.25);
  EXPECT_EQ(score(10, kNan), -0.5);
  EXPECT_EQ(forest.trees()[0].statistics.node_gain, (std::vector<double>{3.5, 1.5}));
  EXPECT_EQ(forest.trees()[0].statistics.node_weight, (std::vector<double>{12, 8}));
  EXPECT_EQ(forest.trees()[0].statistics.leaf_weight, (std::vector<double>{4, 3, 5}));
}

TEST(XgboostDump, NamesThatAreNumbersOfColumnsArePlaces) {
  const Forest forest = forest_of(read_xgboost_dump(
      R"({"objective": "rank:pairwise", "splits": [{"nodeid":0,"split":"f3","split_condition":1,
          "yes":1,"no":2,"children":[{"nodeid":1,"leaf":1},{"nodeid":2,"leaf":2}]}]})"));
  EXPECT_EQ(forest.num_features(), 4U);
  EXPECT_TRUE(forest.feature_names().empty());
  EXPECT_EQ(forest.objective(), "rank:pairwise");
  EXPECT_EQ(forest.score(std::vector{0.0F, 0.0F, 0.0F, 0.5F}), 1);
  EXPECT_EQ(forest.score(std::vector{0.0F, 0.0F, 0.0F, kNan}), 2);  // no "missing": right
}

TEST(XgboostDump, OnlyThoseOfXgboostLackABaseScore) {
  const auto lacks = [](const Model& model) { return provenance_value(model, kLacks); };
  const Model theirs = read_xgboost_dump(kXgboost);
  EXPECT_EQ(lacks(theirs),
            "a dump has no base_score: if XGBoost wrote this one, scores are lower by it than "
            "XGBoost's, rankings are the same; save_model keeps it");
  // Written by us, the children of the root are split 1 and leaf 4.
  std::string mirrored(kXgboost);
  const std::string_view children = "\"yes\": 1, \"no\": 2,";
  mirrored.replace(mirrored.find(children), children.size(), "\"yes\": 2, \"no\": 1,");
  EXPECT_NE(lacks(read_xgboost_dump(mirrored)), "");
  EXPECT_EQ(lacks(read_xgboost_dump(write_xgboost_dump(read_xgboost_dump(mirrored)))), "");
}

TEST(XgboostDump, SaysWhatIsWrong) {
  const auto problem = [](std::string text, std::string_view old, std::string_view by) {
    text.replace(text.find(old), old.size(), by);
    return message_of([&] { read_xgboost_dump(text); });
  };
  const std::string good(kXgboost);
  EXPECT_EQ(problem(good, "\"yes\": 5", "\"yes\": 7"), "tree 0: no child has the nodeid 7");
  EXPECT_EQ(problem(good, "\"yes\": 5", "\"yes\": 4"), "tree 0: 'yes' and 'no' are the same child");
  EXPECT_EQ(problem(good, "\"split_condition\": 2", "\"split_condition\": [1, 2]"),
            "tree 0: splits on categories are not supported");
  EXPECT_EQ(problem(good, "\"split_condition\": 2,", ""), "tree 0: 'split_condition' is missing");
  EXPECT_EQ(problem(good, "\"leaf\": 1", "\"leaf\": \"x\""),
            "tree 0: 'leaf' is \"x\", not a number");
  EXPECT_EQ(message_of([] { read_xgboost_dump("[]"); }), "an XGBoost dump without a tree");
}

TEST(XgboostDump, ComesBackTheSame) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest(
        {.zero_is_missing = false, .infinite_thresholds = false, .float_leaves = true});
    const Model model{.body = forest, .provenance = {}};
    const Forest again = forest_of(read_xgboost_dump(write_xgboost_dump(model)));
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> row = maker.row(forest);
      // Only features that are used are there, in the order in which they come.
      std::vector<float> theirs;
      for (const std::string& name : again.feature_names()) {
        theirs.push_back(row[static_cast<std::size_t>(name.back() - '0')]);
      }
      if (again.feature_names().empty()) theirs = row;
      RC_ASSERT(again.score(theirs) == forest.score(row));
    }
  }));
}

TEST(LightgbmDump, ComesBackTheSameToTheLastBit) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const Model model{.body = forest, .provenance = {}};
    const Forest again = forest_of(read_lightgbm_dump(write_lightgbm_dump(model)));
    const Forest text = forest_of(read_lightgbm_text(write_lightgbm_text(model)));
    RC_ASSERT(again.num_features() == forest.num_features());
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> row = maker.row(forest);
      RC_ASSERT(again.score(row) == forest.score(row));
      RC_ASSERT(again.score(row) == text.score(row));
    }
  }));
}

TEST(LightgbmDump, KeepsCategoriesAndTheirNames) {
  const testing::CategoryTwins twins = testing::category_twins(7, 6, 9);
  ForestParts parts{.trees = {twins.sets.trees().begin(), twins.sets.trees().end()},
                    .num_features = 4,
                    .categories = {{"red", "blue"}, {}, {}, {}}};
  // A missing category goes right in LightGBM.
  for (Tree& tree : parts.trees) {
    for (TreeNode& node : tree.nodes) node.missing_left = false;
  }
  const Forest forest(std::move(parts));
  const Forest again =
      forest_of(read_lightgbm_dump(write_lightgbm_dump({.body = forest, .provenance = {}})));
  const std::vector<float> rows = testing::category_rows(7, 200);
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    EXPECT_EQ(again.score(std::span(rows).subspan(i, 4)),
              forest.score(std::span(rows).subspan(i, 4)));
  }
  ASSERT_GE(again.categories().size(), 1U);
  EXPECT_EQ(again.categories()[0][0], "red");
  EXPECT_EQ(again.categories()[0][1], "blue");
}

TEST(LightgbmDump, SaysWhatIsWrong) {
  const Tree tree{.nodes = {{.threshold = 1, .left = ~0, .right = ~1}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  const std::string good =
      write_lightgbm_dump({.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}});
  const auto problem = [&](std::string_view old, std::string_view by) {
    std::string text = good;
    text.replace(text.find(old), old.size(), by);
    return message_of([&] { read_lightgbm_dump(text); });
  };
  EXPECT_EQ(problem("\"<=\"", "\"=\""),
            "tree 0: decision_type '=' is unknown; <= and == are known");
  EXPECT_EQ(problem("1,\"decision_type\":\"<=\"", "\"1||x\",\"decision_type\":\"==\""),
            "tree 0: '1||x' is no list of categories, as 0||3||7");
  EXPECT_EQ(problem("\"NaN\"", "\"Nan\""),
            "tree 0: missing_type 'Nan' is unknown; None, Zero and NaN are known");
  EXPECT_EQ(problem("\"num_class\":1", "\"num_class\":3"),
            "num_class is 3: only models with one score per row are supported");
  EXPECT_EQ(problem("\"split_feature\":0", "\"split_feature\":0.5"),
            "tree 0: split_feature 0.5 is not the number of a feature");
  EXPECT_EQ(problem("\"max_feature_idx\":0", "\"max_feature_idx\":1"),
            "feature_names has 1 names for 2 features");
}

// Solr's arithmetic, written down again: floats, thresholds raised by 1e-6.
TEST(Solr, AddsASlackToThresholds) {
  const Forest forest = forest_of(read_solr_json(R"({
    "class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel", "name": "m",
    "features": [{"name": "a"}, {"name": "b"}],
    "params": {"trees": [{"weight": "0.5", "root": {"feature": "b", "threshold": "0.5",
      "left": {"value": "-100"}, "right": {"feature": "a", "threshold": 10,
        "left": {"value": 50}, "right": {"value": "75"}}}}]}})"));
  EXPECT_EQ(forest.trees()[0].nodes[0].threshold, 0.5F + 1e-6F);
  EXPECT_EQ(forest.score(std::vector{0.0F, 0.5000005F}), -50);
  EXPECT_EQ(forest.score(std::vector{0.0F, 0.51F}), 25);
  EXPECT_EQ(forest.score(std::vector{11.0F, kNan}), -50);  // missing is 0
}

TEST(Solr, ComesBackTheSameButForThresholdsNearZero) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({.zero_is_missing = false, .float_leaves = true});
    const auto warnings = std::make_shared<Warnings>();
    Context context;
    context.log_sink = warnings;
    const Model model{.body = forest, .provenance = {}};
    const Forest again = forest_of(read_solr_json(write_solr_json(model, context)));
    RC_ASSERT(again.trees().size() >= forest.trees().size());
    const std::size_t extra = again.trees().size() - forest.trees().size();
    for (std::size_t t = 0; t < forest.trees().size(); ++t) {
      // Nodes are numbered anew; the sorted thresholds are the same.
      std::vector<float> before;
      std::vector<float> after;
      for (const TreeNode& node : forest.trees()[t].nodes) before.push_back(node.threshold);
      for (const TreeNode& node : again.trees()[t + extra].nodes) after.push_back(node.threshold);
      std::ranges::sort(before);
      std::ranges::sort(after);
      RC_ASSERT(before.size() == after.size());
      for (std::size_t n = 0; n < before.size(); ++n) {
        if (std::isinf(before[n])) {
          RC_ASSERT(before[n] == after[n]);
        } else {
          RC_ASSERT(after[n] <= before[n] && before[n] - after[n] <= 1.2e-13F);
          RC_ASSERT(std::abs(before[n]) < 1e-6F || after[n] == before[n]);
        }
      }
    }
  }));
}

TEST(Solr, SaysWhatIsWrongAndWhatIsLost) {
  EXPECT_EQ(
      message_of([] { read_solr_json(R"({"class": "org.apache.solr.ltr.model.LinearModel"})"); }),
      "a Solr model of class 'org.apache.solr.ltr.model.LinearModel'; "
      "org.apache.solr.ltr.model.MultipleAdditiveTreesModel is supported");
  EXPECT_EQ(message_of([] {
              read_solr_json(
                  R"({"class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
                  "features": [{"name": "a"}], "params": {"trees": [{"weight": 1, "root":
                  {"feature": "b", "threshold": 1, "left": {"value": 1},
                   "right": {"value": 1}}}]}})");
            }),
            "tree 0: feature 'b' is not in the list of features");
  EXPECT_EQ(message_of([] {
              read_solr_json(
                  R"({"class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
                  "features": [{"name": "a", "norm": {}}], "params": {"trees": []}})");
            }),
            "feature 'a' has a normaliser; features as they are are supported");
  const Tree tree{.nodes = {{.threshold = 1e-20F, .left = ~0, .right = ~1, .missing_left = true}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  const auto warnings = std::make_shared<Warnings>();
  Context context;
  context.log_sink = warnings;
  write_solr_json({.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}},
                  context);
  EXPECT_EQ(warnings->messages,
            std::vector<std::string>{"Solr adds 1e-6 to thresholds: 1 of 1 nodes near 0 get one "
                                     "that is up to 1e-13 lower"});
}

constexpr std::string_view kCatboost = R"({
  "features_info": {"float_features": [
    {"flat_feature_index": 0, "feature_id": "a", "nan_value_treatment": "AsFalse"},
    {"flat_feature_index": 2, "feature_id": "", "nan_value_treatment": "AsTrue"}]},
  "oblivious_trees": [{"splits": [
      {"border": 1.5, "float_feature_index": 0, "split_type": "FloatFeature"},
      {"border": -1, "float_feature_index": 1, "split_type": "FloatFeature"}],
    "leaf_values": [1, 2, 3, 4], "leaf_weights": [5, 6, 7, 8]},
    {"splits": [], "leaf_values": [100]}],
  "scale_and_bias": [2, [0.25]]})";

// Leaf number = (a > 1.5) + 2 (column 2 > -1).
TEST(Catboost, ObliviousTreesAskTheSameOnALevel) {
  const Forest forest = forest_of(read_catboost_json(kCatboost));
  EXPECT_EQ(forest.num_features(), 3U);
  EXPECT_EQ(forest.feature_names()[2], "2");
  const auto score = [&](float a, float c) {
    return forest.score(std::vector{a, 9.0F, c}) - 200.25;
  };
  EXPECT_EQ(score(1.5F, -1), 2 * 1);
  EXPECT_EQ(score(1.6F, -1), 2 * 2);
  EXPECT_EQ(score(1, 0), 2 * 3);
  EXPECT_EQ(score(2, 0), 2 * 4);
  EXPECT_EQ(score(kNan, kNan), 2 * 3);
  EXPECT_EQ(forest.trees()[0].statistics.leaf_weight, (std::vector<double>{5, 6, 7, 8}));
}

TEST(Catboost, SaysWhatIsWrong) {
  const auto problem = [](std::string_view old, std::string_view by) {
    std::string text(kCatboost);
    text.replace(text.find(old), old.size(), by);
    return message_of([&] { read_catboost_json(text); });
  };
  EXPECT_EQ(problem("\"features_info\": {", "\"features_info\": {\"categorical_features\": [{}],"),
            "CatBoost's categorical_features are not supported; models of numbers are");
  EXPECT_EQ(problem("FloatFeature", "OneHotFeature"),
            "tree 0: a split of type \"OneHotFeature\"; splits on numbers are supported");
  EXPECT_EQ(problem("[1, 2, 3, 4]", "[1, 2, 3]"),
            "tree 0: 3 leaf values for 4 leaves; models of one output are supported");
  EXPECT_EQ(problem("[2, [0.25]]", "[2, [0.25, 1]]"),
            "scale_and_bias is [2,[0.25,1]]; models of one output are supported");
  EXPECT_EQ(problem("\"float_feature_index\": 1", "\"float_feature_index\": 2"),
            "tree 0: 'float_feature_index' is 2; a whole number below 2 is expected");
}

TEST(ForeignModels, ObjectsAreToldApartByTheirOutermostKeys) {
  EXPECT_EQ(json_kind("tree\n"), JsonKind::kNone);
  EXPECT_EQ(json_kind("{L\x01"), JsonKind::kNone);
  EXPECT_EQ(json_kind("{}"), JsonKind::kUnknown);
  EXPECT_EQ(json_kind(kXgboost), JsonKind::kXgboostDump);
  EXPECT_EQ(json_kind(kCatboost), JsonKind::kCatboost);
  EXPECT_EQ(json_kind("[1, 2]"), JsonKind::kUnknown);
  EXPECT_EQ(json_kind(R"({"version": [1], "learner": {}})"), JsonKind::kXgboost);
  // A key inside of a value, or a text, is none of the outermost.
  EXPECT_EQ(json_kind(R"({"a": {"learner": 1}, "b": "\"learner\": 2", "tree_info": []})"),
            JsonKind::kLightgbmDump);
  EXPECT_EQ(json_kind(R"({"a": ["learner", {"x": "}]"}]})"), JsonKind::kUnknown);
  EXPECT_EQ(outer_json_keys(R"({"a": [{"b": 1}], "c": "d", "e": 2})", 2),
            (std::vector<std::string>{"a", "c"}));
}

TEST(ForeignModels, AreCalledByTheirNames) {
  const auto problem = [](std::string_view bytes) {
    return message_of([&] { read_model_and_format(bytes, "m"); });
  };
  EXPECT_EQ(problem("<?xml version=\"1.0\"?>\n<PMML version=\"4.4\">"),
            "m: this is PMML; save the model in the format of the program that trained it "
            "(LightGBM's save_model, XGBoost's JSON)");
  EXPECT_TRUE(problem("\x80\x04\x95").starts_with("m: this is a pickle of Python"));
  EXPECT_TRUE(problem("CBM1\x01").starts_with("m: this is a CatBoost model in its own binary"));
  EXPECT_TRUE(problem("\x08\x07\x12\x0b").starts_with("m: this is an ONNX model"));
  EXPECT_TRUE(problem("binf\x01").starts_with("m: this is an XGBoost model in its old binary"));
  EXPECT_EQ(problem(R"({"explainer": "tree-shap", "query": "7"})"),
            "m: this is an explanation, not a model");
  EXPECT_EQ(problem(R"({"a": 1, "b": 2})"),
            "m: this is JSON, but no model we know (its keys: a, b); read are models of XGBoost "
            "(save_model and dump_model), LightGBM (dump_model), CatBoost and Solr, and gam-json");
}

TEST(ForeignModels, AByteOrderMarkIsNoPartOfAModel) {
  EXPECT_EQ(
      std::string(read_model_and_format("\xEF\xBB\xBF" + std::string(kXgboost), "m").format.name),
      "xgboost-dump");
}

}  // namespace
}  // namespace glassrank
