#include "glassrank/models/forest/score_trace.h"

#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

Tree stump(float threshold, double left, double right) {
  return {.nodes = {{.feature = 0, .threshold = threshold, .left = -1, .right = -2}},
          .leaf_values = {left, right}};
}

TEST(TraceScores, GivesTheScoresOfEveryFirstTrees) {
  const Forest forest(
      ForestParts{.trees = {stump(1, 0.1, 0.7), stump(2, -0.3, 0.2), stump(0, 1e-17, 1.0 / 3)},
                  .num_features = 1,
                  .base_score = 0.5});
  const std::vector<float> values = {0.5F, 1.5F, 2.5F};
  const MatrixView<const float> rows(values.data(), 3, 1);
  std::size_t calls = 0;
  trace_scores(forest, rows, [&](std::size_t num_trees, std::span<const double> scores) {
    EXPECT_EQ(num_trees, ++calls);
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_EQ(scores[r], forest.first_trees(num_trees).score(rows.row(r)));
    }
  });
  EXPECT_EQ(calls, 3);
}

TEST(RowsBetween, IsAViewOfTheSameMemory) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const MatrixView<const float> some = rows_between({values.data(), 3, 2}, 1, 3);
  EXPECT_EQ(some.num_rows(), 2);
  EXPECT_EQ(some(0, 0), 3);
  EXPECT_EQ(some.data(), values.data() + 2);
}

}  // namespace
}  // namespace glassrank
