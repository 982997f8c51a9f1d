#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/studies/breakdown.h"
#include "glassrank/studies/leaf_scores.h"
#include "testing/boosting_fixture.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using testing::documents_of;
using testing::forest_of;
using testing::with_threads;

TEST(RelevantAtTop, TakesRelevantDocumentsAboveTheCutoffOfTheirQuery) {
  const Dataset data = documents_of({3, 1}, {2, 0, 1, 1}, {{0}, {0}, {0}, {0}});
  const std::vector<double> scores = {1, 3, 2, 0};
  EXPECT_EQ(relevant_at_top(data, scores, 2, 0).rows, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(relevant_at_top(data, scores, 3, 1).rows, (std::vector<std::uint32_t>{0}));
}

TEST(OtherNegatives, LeavesTheOutliersOut) {
  const Dataset data = documents_of({4}, {0, 1, 0, 0}, {{0}, {0}, {0}, {0}});
  const std::vector<std::uint32_t> outliers = {2};
  EXPECT_EQ(other_negatives(data, outliers, 0).rows, (std::vector<std::uint32_t>{0, 3}));
}

TEST(ProbeLeaves, AveragesTheLeavesThatMostDocumentsReach) {
  // Tree 0 gives 4 to rows 0 and 1, 0 to row 2; tree 1 gives -1 to row 2 only.
  const Dataset data = documents_of({3}, {0, 0, 0}, {{1, 0}, {1, 0}, {0, 1}});
  const Forest forest = forest_of({4, -1});
  const std::vector<DocumentGroup> groups = {{"g", {0, 1, 2}}, {"empty", {}}};
  const LeafScores one = probe_leaves(forest, data, groups, 2, 1, with_threads(1));
  EXPECT_EQ(one.leaf[0], (std::vector<double>{4, 0}));
  EXPECT_EQ(one.so_far[0], (std::vector<double>{8.0 / 3, 7.0 / 3}));
  EXPECT_TRUE(std::isnan(one.leaf[1][0]));
  EXPECT_TRUE(std::isnan(one.so_far[1][1]));
  const LeafScores two = probe_leaves(forest, data, groups, 9, 30, with_threads(2));
  EXPECT_EQ(two.leaf[0], (std::vector<double>{2, -0.5}));  // each leaf counts once
  const LeafScores few = probe_leaves(forest, data, groups, 2, 0, with_threads(1));
  EXPECT_EQ(few.leaf[0], one.leaf[0]);  // 7.5 % of 2 leaves is 1
}

TEST(QueriesWith, FindsTheQueriesOfTheRows) {
  const QueryGroups queries({"a", "b", "c"}, std::vector<std::size_t>{2, 3, 1});
  const std::vector<std::uint32_t> rows = {1, 5};
  EXPECT_EQ(queries_with(queries, rows), (std::vector{true, false, true}));
  EXPECT_EQ(queries_with(queries, {}), (std::vector{false, false, false}));
}

TEST(QualityOn, ComparesModelsWithTheFirstOnTheChosenQueries) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> values = {{0.5, 0.1, 0.2, 0.9}, {0.75, 0.9, kNaN, 0.9}};
  const GroupQuality quality =
      quality_on("Q_o", values, {true, false, true, true}, 1000, with_threads(1));
  EXPECT_EQ(quality.num_queries, 2);  // the one without a value does not count
  EXPECT_DOUBLE_EQ(quality.means[0], 0.7);
  EXPECT_DOUBLE_EQ(quality.means[1], 0.825);
  // One query differs: of the two ways to swap it, one is as good for the second model.
  EXPECT_DOUBLE_EQ(quality.p[1].greater, 0.5);
  EXPECT_DOUBLE_EQ(quality.p[1].two_sided, 1);
}

TEST(QualityOn, HasNoMeanWithoutQueries) {
  const std::vector<std::vector<double>> values = {{0.5}, {0.6}};
  const GroupQuality quality = quality_on("Q_c", values, {false}, 1000, with_threads(1));
  EXPECT_EQ(quality.num_queries, 0);
  EXPECT_TRUE(std::isnan(quality.means[0]));
  EXPECT_EQ(quality.p[1].two_sided, 1);
}

}  // namespace
}  // namespace glassrank
