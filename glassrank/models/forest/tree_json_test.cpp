#include "glassrank/models/forest/tree_json.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<std::string> kNames = {"price", "rating"};

Forest small_forest(float threshold, TreeStatistics statistics) {
  Tree tree{.nodes = {{.feature = 1, .threshold = threshold, .left = ~0, .right = ~1}},
            .leaf_values = {-0.25, 0.5},
            .statistics = std::move(statistics)};
  return Forest({.trees = {std::move(tree)}, .num_features = 2});
}

TEST(TreeJson, HoldsEverythingTheTreeHas) {
  const Forest forest = small_forest(0.5F, {.node_gain = {2.5},
                                            .node_value = {0.125},
                                            .node_weight = {8},
                                            .node_count = {30},
                                            .leaf_weight = {5, 3},
                                            .leaf_count = {10, 20}});
  EXPECT_EQ(tree_json(forest, 0, kNames), Json::parse(R"({
    "tree": 0, "depth": 1,
    "nodes": [{"feature": 1, "name": "rating", "threshold": 0.5, "missing": "right",
               "zero_is_missing": false, "left": {"leaf": 0}, "right": {"leaf": 1},
               "gain": 2.5, "value": 0.125, "weight": 8.0, "documents": 30}],
    "leaves": [{"value": -0.25, "weight": 5.0, "documents": 10},
               {"value": 0.5, "weight": 3.0, "documents": 20}]})"));
}

TEST(TreeJson, LeavesOutWhatTheFileDidNotHave) {
  const Json json = tree_json(small_forest(0.5F, {}), 0, kNames);
  EXPECT_FALSE(json["nodes"][0].contains("gain"));
  EXPECT_FALSE(json["leaves"][0].contains("documents"));
}

TEST(TreeJson, WritesInfinityAsText) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(tree_json(small_forest(kInfinity, {}), 0, kNames)["nodes"][0]["threshold"], "inf");
  EXPECT_EQ(tree_json(small_forest(-kInfinity, {}), 0, kNames)["nodes"][0]["threshold"], "-inf");
}

TEST(TreeJson, RefusesATreeThatIsNotThere) {
  EXPECT_THROW(tree_json(small_forest(0, {}), 1, kNames), Error);
}

}  // namespace
}  // namespace glassrank
