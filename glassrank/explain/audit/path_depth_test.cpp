#include "glassrank/explain/audit/path_depth.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

using Values = std::vector<double>;

// a <= 1 ? 0 : (b <= 1 ? 1 : 2), and a tree of one leaf.
Forest uneven_forest(bool with_stump) {
  ForestParts parts;
  parts.num_features = 2;
  parts.trees.push_back({.nodes = {{.feature = 0, .threshold = 1, .left = ~0, .right = 1},
                                   {.feature = 1, .threshold = 1, .left = ~1, .right = ~2}},
                         .leaf_values = {0, 1, 2},
                         .statistics = {}});
  if (with_stump) parts.trees.push_back({.nodes = {}, .leaf_values = {5}, .statistics = {}});
  return Forest(std::move(parts));
}

TEST(PathDepth, CountsTheSplitsOnTheWayAndAveragesOverTrees) {
  const std::vector<float> near = {0, 0};
  const std::vector<float> far = {2, 0};
  EXPECT_EQ(path_depth(uneven_forest(false), near), 1);
  EXPECT_EQ(path_depth(uneven_forest(false), far), 2);
  EXPECT_EQ(path_depth(uneven_forest(true), near), 0.5);
  EXPECT_EQ(path_depth(uneven_forest(true), far), 1);
  EXPECT_EQ(path_depth(Forest(), far), 0);
}

TEST(PathDepth, GroupsDocumentsByRoundedDepth) {
  const Values depths = {2, 1.4, 2.4, 1, NAN, 3};
  const Values values = {0.5, 0.1, 0.7, 0.3, 9, NAN};
  const DepthAnalysis analysis = by_path_depth(depths, values);
  ASSERT_EQ(analysis.groups.size(), 2U);
  EXPECT_EQ(analysis.groups[0].depth, 1U);
  EXPECT_EQ(analysis.groups[0].values.count, 2U);
  EXPECT_DOUBLE_EQ(analysis.groups[0].values.mean, 0.2);
  EXPECT_EQ(analysis.groups[1].depth, 2U);
  EXPECT_DOUBLE_EQ(analysis.groups[1].values.median, 0.6);
  // Ranks of 2, 1.4, 2.4, 1 are 3 2 4 1; of the values 3 1 4 2: rho = 1 - 6 * 2 / (4 * 15)
  EXPECT_DOUBLE_EQ(analysis.correlation.value(), 0.8);
  EXPECT_FALSE(by_path_depth(Values{1, 1}, Values{1, 2}).correlation);
}

TEST(BoxSummary, HasNumpysQuantilesAndLeavesNanOut) {
  const BoxSummary spread = box_summary(Values{4, NAN, 1, 2, 3});
  EXPECT_EQ(spread.count, 4U);
  EXPECT_DOUBLE_EQ(spread.mean, 2.5);
  EXPECT_DOUBLE_EQ(spread.standard_deviation, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(spread.standard_error(), std::sqrt(5.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(spread.least, 1);
  EXPECT_DOUBLE_EQ(spread.lower_quartile, 1.75);
  EXPECT_DOUBLE_EQ(spread.median, 2.5);
  EXPECT_DOUBLE_EQ(spread.upper_quartile, 3.25);
  EXPECT_DOUBLE_EQ(spread.largest, 4);
  EXPECT_EQ(box_summary(Values{NAN}).count, 0U);
  EXPECT_EQ(box_summary(Values{7}).standard_deviation, 0);
}

}  // namespace
}  // namespace glassrank
