#include "glassrank/models/io/xgboost_json.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/json.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x1 < 0.5 ? (leaf -1) : (x0 < 2 ? 10 : 20), missing x1 left, missing x0 right; base 0.25.
Json small_model() {
  return Json::parse(R"({"learner":{"attributes":{},"feature_names":["a","b"],
    "feature_types":["float","float"],"gradient_booster":{"model":{
      "gbtree_model_param":{"num_parallel_tree":"1","num_trees":"1"},
      "iteration_indptr":[0,1],"tree_info":[0],"trees":[{"base_weights":[0,-1,5,10,20],
        "categories":[],"categories_nodes":[],"categories_segments":[],"categories_sizes":[],
        "default_left":[1,0,0,0,0],"id":0,"left_children":[1,-1,3,-1,-1],
        "loss_changes":[7,0,3,0,0],"parents":[2147483647,0,0,2,2],
        "right_children":[2,-1,4,-1,-1],"split_conditions":[0.5,-1,2,10,20],
        "split_indices":[1,0,0,0,0],"split_type":[0,0,0,0,0],"sum_hessian":[9,4,5,2,3],
        "tree_param":{"num_deleted":"0","num_feature":"2","num_nodes":"5",
                      "size_leaf_vector":"1"}}]},"name":"gbtree"},
    "learner_model_param":{"base_score":"[2.5E-1]","num_class":"0","num_feature":"2",
                           "num_target":"1"},
    "objective":{"name":"rank:ndcg"}},"version":[3,2,0]})");
}

Json& tree_of(Json& model) { return model["learner"]["gradient_booster"]["model"]["trees"][0]; }
Json& params_of(Json& model) { return model["learner"]["learner_model_param"]; }

Forest read_forest(const Json& model) { return forest_of(read_xgboost_json(model.dump())); }

std::string problem_of(const std::function<void(Json&)>& change) {
  Json model = small_model();
  change(model);
  return message_of([&] { read_forest(model); });
}

TEST(XgboostJson, IsRead) {
  const Forest forest = read_forest(small_model());
  EXPECT_EQ(forest.base_score(), 0.25);
  EXPECT_EQ(forest.objective(), "rank:ndcg");
  EXPECT_EQ(forest.feature_names()[1], "b");
  const Tree& tree = forest.trees()[0];
  EXPECT_EQ(tree.nodes[0], (TreeNode{.feature = 1,
                                     .threshold = std::nextafter(0.5F, 0.0F),
                                     .left = ~0,
                                     .right = 1,
                                     .missing_left = true}));
  EXPECT_EQ(tree.leaf_values, (std::vector<double>{-1, 10, 20}));
  EXPECT_EQ(tree.statistics.node_gain, (std::vector<double>{7, 3}));
  EXPECT_EQ(tree.statistics.leaf_weight, (std::vector<double>{4, 2, 3}));
  EXPECT_EQ(forest.score(std::array{0.0F, 0.5F}), 10.25);  // 0.5 is not below 0.5
  EXPECT_EQ(forest.score(std::array{2.0F, 1.0F}), 20.25);
  EXPECT_EQ(forest.score(std::array{kNan, 1.0F}), 20.25);
  EXPECT_EQ(forest.score(std::array{0.0F, kNan}), -0.75);
  EXPECT_EQ(read_xgboost_json(small_model().dump()).provenance,
            (Provenance{{"format", "xgboost 3.2.0"}}));
}

// The model with its tree three times over.
Json three_rounds() {
  Json model = small_model();
  Json& body = model["learner"]["gradient_booster"]["model"];
  body["trees"] = {tree_of(model), tree_of(model), tree_of(model)};
  body["gbtree_model_param"]["num_trees"] = "3";
  return model;
}

TEST(XgboostJson, EndsAtTheBestIterationAsXgbrankerDoes) {
  Json model = three_rounds();
  EXPECT_EQ(read_forest(model).trees().size(), 3U);
  model["learner"]["attributes"]["best_iteration"] = "1";
  EXPECT_EQ(read_forest(model).trees().size(), 2U);
  EXPECT_EQ(read_xgboost_json(model.dump()).provenance, (Provenance{{"format", "xgboost 3.2.0"},
                                                                    {"xgboost.best_iteration", "1"},
                                                                    {"xgboost.num_trees", "3"}}));
  EXPECT_EQ(forest_of(read_xgboost_json(model.dump(), {.all_trees = true})).trees().size(), 3U);
  // Beyond the end: all there are.
  model["learner"]["attributes"]["best_iteration"] = "7";
  EXPECT_EQ(read_forest(model).trees().size(), 3U);
  model["learner"]["attributes"]["best_iteration"] = "one";
  EXPECT_EQ(message_of([&] { read_forest(model); }), "'best_iteration': 'one' is not a count");
}

TEST(XgboostJson, ARoundMayHaveSeveralTrees) {
  Json model = three_rounds();
  Json& body = model["learner"]["gradient_booster"]["model"];
  body["trees"].push_back(tree_of(model));
  body["gbtree_model_param"]["num_trees"] = "4";
  body["gbtree_model_param"]["num_parallel_tree"] = "2";
  model["learner"]["attributes"]["best_iteration"] = "0";
  EXPECT_EQ(read_forest(model).trees().size(), 2U);
}

TEST(XgboostJson, LeavesNumbersOfColumnsOut) {
  const auto names_of = [](std::vector<std::string> names) {
    const Forest forest({.trees = {}, .num_features = 2, .feature_names = std::move(names)});
    const Json json = Json::parse(write_xgboost_json({.body = forest, .provenance = {}}));
    return json["learner"]["feature_names"].size();
  };
  EXPECT_EQ(names_of({"a", "b"}), 2U);
  EXPECT_EQ(names_of({"1", "2"}), 0U);
  EXPECT_EQ(names_of({"0", "1"}), 0U);
  EXPECT_EQ(names_of({"0", "b"}), 2U);
}

TEST(XgboostJson, SaysThatOurFirstColumnIsFeatureOne) {
  const auto read_back = [](std::vector<std::string> names) {
    const Forest forest({.trees = {}, .num_features = 2, .feature_names = std::move(names)});
    const Model once = read_xgboost_json(write_xgboost_json({.body = forest, .provenance = {}}));
    const Model twice = read_xgboost_json(write_xgboost_json(once));
    EXPECT_EQ(once.provenance, twice.provenance);
    return twice.provenance;
  };
  const Provenance::value_type line = {std::string(kXgboostFirstFeature), "1"};
  const Provenance ids = read_back({"1", "2"});
  EXPECT_NE(std::ranges::find(ids, line), ids.end());
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{}, {"0", "1"}, {"a", "b"}}) {
    const Provenance others = read_back(names);
    EXPECT_EQ(std::ranges::find(others, line), others.end());
  }
}

TEST(XgboostJson, IsReadFromUbjsonToo) {
  const Json model = small_model();
  for (const bool with_counts : {false, true}) {
    const std::vector<std::uint8_t> bytes = Json::to_ubjson(model, with_counts);
    const std::string text(bytes.begin(), bytes.end());
    EXPECT_TRUE(same_forest(forest_of(read_xgboost_ubjson(text)), read_forest(model)));
  }
}

TEST(XgboostJson, UnderstandsBothSpellingsOfTheBaseScore) {
  const auto base = [](const Json& text, const std::string& objective) {
    Json model = small_model();
    params_of(model)["base_score"] = text;
    model["learner"]["objective"]["name"] = objective;
    return read_forest(model).base_score();
  };
  EXPECT_EQ(base("5E-1", "rank:ndcg"), 0.5);
  EXPECT_EQ(base("[5E-1]", "reg:squarederror"), 0.5);
  EXPECT_EQ(base(0.5, "binary:logitraw"), 0.5);
  EXPECT_EQ(base("[5E-1]", "binary:logistic"), 0);                   // log(0.5 / 0.5)
  EXPECT_NEAR(base("[2E-1]", "binary:logistic"), -1.3862944, 1e-6);  // log(0.2 / 0.8)
  EXPECT_NEAR(base("[2E0]", "count:poisson"), 0.6931472, 1e-6);      // log(2)
}

TEST(XgboostJson, AppliesTheWeightsOfDart) {
  Json model = small_model();
  Json& booster = model["learner"]["gradient_booster"];
  booster = {{"gbtree", {{"model", booster["model"]}}}, {"name", "dart"}, {"weight_drop", {0.5}}};
  EXPECT_EQ(read_forest(model).trees()[0].leaf_values, (std::vector<double>{-0.5, 5, 10}));
}

TEST(XgboostJson, PassesOverDeletedNodes) {
  Json model = small_model();
  Json& tree = tree_of(model);
  tree["left_children"] = {1, -1, -1, -1, -1};  // node 2 was pruned to a leaf
  tree["right_children"] = {2, -1, -1, -1, -1};
  const Forest forest = read_forest(model);
  EXPECT_EQ(forest.trees()[0].leaf_values, (std::vector<double>{-1, 2}));
}

TEST(XgboostJson, TakesInfiniteConditions) {
  std::string text = small_model().dump();
  text.replace(text.find("[0.5,"), 5, "[Infinity,");
  const Tree tree = forest_of(read_xgboost_json(text)).trees()[0];
  EXPECT_EQ(tree.nodes[0].threshold, std::numeric_limits<float>::max());
  text.replace(text.find("[Infinity,"), 10, "[-Infinity,");
  EXPECT_EQ(message_of([&] { read_xgboost_json(text); }),
            "tree 0: node 0: nothing is below a condition of -inf");
}

TEST(XgboostJson, KeepsScoresAndBecomesStable) {
  EXPECT_TRUE(rc::check("round trip", [](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest(
        {.zero_is_missing = false, .infinite_thresholds = false, .float_leaves = true});
    const std::string text = write_xgboost_json({.body = forest, .provenance = {}});
    const Model read = read_xgboost_json(text);
    const Forest read_back = forest_of(read);
    for (int i = 0; i < 30; ++i) {
      const std::vector<float> row = maker.row(forest);
      RC_ASSERT(read_back.score(row) == forest.score(row));
    }
    RC_ASSERT(write_xgboost_json(read) == text);
  }));
}

TEST(XgboostJson, WritesFloatsThatLookLikeFloats) {
  const Tree tree{.nodes = {{.threshold = float_below(2.0F), .left = ~0, .right = ~1}},
                  .leaf_values = {-1, 0.5},
                  .statistics = {}};
  const std::string text =
      write_xgboost_json({.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}});
  EXPECT_NE(text.find(R"("split_conditions":[2e0,-1e0,0.5])"), std::string::npos) << text;
}

TEST(XgboostJson, WritesMissingAgainstTheRestForFiniteData) {
  const Tree tree{.nodes = {{.threshold = HUGE_VALF, .left = ~0, .right = ~1}},
                  .leaf_values = {1, 2},
                  .statistics = {}};
  const std::string text =
      write_xgboost_json({.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}});
  EXPECT_NE(text.find(R"("split_conditions":[1e39,1e0,2e0])"), std::string::npos) << text;
  const Forest read = forest_of(read_xgboost_json(text));
  EXPECT_EQ(read.score(std::array{std::numeric_limits<float>::max()}), 1);
  EXPECT_EQ(read.score(std::array{kNan}), 2);
}

TEST(XgboostJson, KeepsABaseScoreThatIsAProbability) {
  const Forest forest({.trees = {}, .base_score = -1.5, .objective = "binary:logistic"});
  const std::string text = write_xgboost_json({.body = forest, .provenance = {}});
  EXPECT_NE(text.find(R"("base_score":"0.18242553")"), std::string::npos);  // 1 / (1 + e^1.5)
  EXPECT_NEAR(forest_of(read_xgboost_json(text)).base_score(), -1.5, 1e-6);
}

TEST(XgboostJson, RefusesToWriteWhatItCannotExpress) {
  const auto problem = [](const TreeNode& node, double leaf) {
    const Tree tree{.nodes = {node}, .leaf_values = {leaf, 1}, .statistics = {}};
    const Forest forest({.trees = {tree}, .num_features = 1});
    return message_of([&] { write_xgboost_json({.body = forest, .provenance = {}}); });
  };
  EXPECT_EQ(problem({.threshold = 1, .left = ~0, .right = ~1}, 1e300),
            "tree 0: leaf 0: value 1e+300 is beyond float32");
  EXPECT_EQ(problem({.threshold = 1, .left = ~0, .right = ~1, .zero_is_missing = true}, 1),
            "tree 0, node 0: zero counts as missing there, which XGBoost cannot express");
  // Zero goes left by comparison as well.
  EXPECT_EQ(
      problem(
          {.threshold = 1, .left = ~0, .right = ~1, .missing_left = true, .zero_is_missing = true},
          1),
      "no error");
}

TEST(XgboostJson, SaysWhatIsWrong) {
  EXPECT_EQ(message_of([] { read_xgboost_json("[]"); }),
            "not an XGBoost model: 'learner' is missing; save it with save_model, not dump_model");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"]["gradient_booster"]["name"] = "gblinear"; }),
            "booster 'gblinear' is not supported; gbtree and dart are");
  EXPECT_EQ(problem_of([](Json& m) { params_of(m)["num_class"] = "3"; }),
            "num_class is 3: only models with one score per row are supported");
  EXPECT_EQ(problem_of([](Json& m) { params_of(m)["num_feature"] = "x"; }),
            "'num_feature': 'x' is not a count");
  EXPECT_EQ(problem_of([](Json& m) { params_of(m)["base_score"] = "[1,2]"; }),
            "base_score '[1,2]' is not one number");
  EXPECT_EQ(problem_of([](Json& m) { params_of(m)["base_score"] = "nan"; }),
            "base_score nan is outside of what the objective allows");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"]["objective"]["name"] = "multi:softmax"; }),
            "objective 'multi:softmax' is not supported: only rank:*, reg:*, count:poisson and "
            "binary:* models have one raw score per row");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"]["objective"] = 1; }),
            "an object with 'name' is expected");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"]["objective"]["name"] = 1; }),
            "'name' is not a text");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"]["feature_names"] = {1, 2}; }),
            "a feature name is not a text");
  EXPECT_EQ(problem_of([](Json& m) { m["learner"].erase("objective"); }), "'objective' is missing");
  EXPECT_EQ(problem_of([](Json& m) {
              m["learner"]["gradient_booster"]["model"]["gbtree_model_param"]["num_trees"] = "2";
            }),
            "num_trees says 2, the model has 1");
}

TEST(XgboostJson, SaysWhatIsWrongWithATree) {
  const auto problem = [](const std::string& key, const Json& value) {
    return problem_of([&](Json& m) { tree_of(m)[key] = value; });
  };
  EXPECT_EQ(problem("split_type", {1, 0, 0, 0, 0}),
            "tree 0: node 0 asks for categories and has none");
  EXPECT_EQ(problem("split_type", {2, 0, 0, 0, 0}), "tree 0: split_type 2 is not known");
  EXPECT_EQ(problem("left_children", Json::array()), "tree 0: a tree has at least one node");
  EXPECT_EQ(problem("left_children", 1), "tree 0: 'left_children' is not an array");
  EXPECT_EQ(problem("right_children", {2, -1}), "tree 0: right_children has 2 values, not 5");
  EXPECT_EQ(problem("left_children", {1, -1, 0, -1, -1}),
            "tree 0: node 2: child 0 is already the child of another node or its own ancestor");
  EXPECT_EQ(problem("right_children", {2, -1, 5, -1, -1}),
            "tree 0: node 2: child 5 is not one of the 5 nodes");
  EXPECT_EQ(problem("split_conditions", {"x", 1, 2, 3, 4}),
            "tree 0: split_conditions holds \"x\", not a number");
  EXPECT_EQ(problem("split_indices", {-1, 0, 0, 0, 0}),
            "tree 0: split_indices holds -1, which is not possible there");
  EXPECT_EQ(problem("split_conditions", {0.5, 1e300, 2, 10, 20}),
            "tree 0: leaf 0: value inf is not finite");
  EXPECT_EQ(problem_of([](Json& m) { tree_of(m)["tree_param"]["size_leaf_vector"] = "3"; }),
            "tree 0: leaves with several values are not supported");
}

}  // namespace
}  // namespace glassrank
