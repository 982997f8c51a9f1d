#include "glassrank/evaluation/score_parity.h"

#include <gtest/gtest.h>

#include "testing/study_fixture.h"

namespace glassrank {
namespace {

std::unique_ptr<const Scorer> times(double factor, float up_to) {
  return make_function_scorer(1, [=](MatrixView<const float> rows, std::span<double> scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      scores[r] = rows(r, 0) <= up_to ? rows(r, 0) : factor * rows(r, 0);
    }
  });
}

TEST(ScoreParity, NamesTheFirstRowOfTheLargestDifference) {
  const Dataset data = testing::documents_of({2, 3}, {0, 0, 0, 0, 0}, {{1}, {2}, {3}, {5}, {5}});
  const auto before = times(2, 9);
  const auto after = times(2, 2);
  const ScoreParity parity = compare_scores({*before, data}, {*after, data}, 0.5, {});
  EXPECT_EQ(parity.num_rows, 5U);
  EXPECT_EQ(parity.num_different, 3U);
  EXPECT_EQ(parity.largest, 5);
  EXPECT_EQ(parity.row, 3U);
  EXPECT_EQ(parity.query, "q1");
  EXPECT_EQ(parity.document, "2");
  EXPECT_EQ(parity.before, 5);
  EXPECT_EQ(parity.after, 10);
  EXPECT_EQ(parity.num_beyond, 3U);  // each by as much as the score before
}

TEST(ScoreParity, AllowsTheToleranceTimesTheScore) {
  const Dataset data = testing::documents_of({3}, {0, 0, 0}, {{0.5}, {1}, {8}});
  const auto before = times(1, 0);
  const auto after = times(1.25, 0);  // differences of 0.125, 0.25 and 2
  EXPECT_EQ(compare_scores({*before, data}, {*after, data}, 0.25, {}).num_beyond, 0U);
  EXPECT_EQ(compare_scores({*before, data}, {*after, data}, 0.2, {}).num_beyond, 2U);
  EXPECT_EQ(compare_scores({*before, data}, {*after, data}, 0.1, {}).num_beyond, 3U);
}

TEST(ScoreParity, IsEmptyForEqualScores) {
  const Dataset data = testing::documents_of({2}, {0, 0}, {{1}, {2}});
  const auto before = times(2, 9);
  const auto after = times(3, 9);
  const ScoreParity parity = compare_scores({*before, data}, {*after, data}, 0, {});
  EXPECT_EQ(parity.num_beyond, 0U);
  EXPECT_EQ(parity.num_different, 0U);
  EXPECT_EQ(parity.largest, 0);
  EXPECT_EQ(parity.query, "");
}

}  // namespace
}  // namespace glassrank
