#include "glassrank/objectives/squared_error.h"

#include <gtest/gtest.h>

#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

TEST(SquaredError, GradientIsTheErrorAndHessianOne) {
  SquaredError objective;
  const auto r = gradients_of(objective, {0, 2, 4}, {0.5, 0.5, 4.25});
  EXPECT_EQ(r.gradient, (std::vector<float>{0.5F, -1.5F, 0.25F}));
  EXPECT_EQ(r.hessian, (std::vector<float>{1, 1, 1}));
}

TEST(SquaredError, IsTheSlopeOfItsLoss) {
  const auto q = testing::random_query(1, 12);
  SquaredError objective;
  const auto r = gradients_of(objective, q.grades, q.scores);
  const testing::Loss loss = [&](const std::vector<double>& scores) {
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      sum += (scores[i] - q.grades[i]) * (scores[i] - q.grades[i]) / 2;
    }
    return sum;
  };
  for (std::size_t i = 0; i < q.grades.size(); ++i) {
    EXPECT_NEAR(r.gradient[i], testing::slope(loss, q.scores, i), 1e-6);
    EXPECT_NEAR(r.hessian[i], testing::curvature(loss, q.scores, i, i), 1e-5);
  }
}

// (1 * 1 + 3 * 2 + 0 * 9) / (1 + 3 + 0) = 1.75; unweighted (1 + 2 + 9) / 3 = 4.
TEST(SquaredError, StartsFromTheMeanGradeByWeight) {
  const std::vector<float> grades = {1, 2, 9};
  const std::vector<float> weights = {1, 3, 0};
  const QueryGroups queries({"a", "b"}, std::array<std::size_t, 2>{1, 2});
  SquaredError objective;
  objective.prepare({.grades = grades, .weights = weights, .queries = queries});
  EXPECT_DOUBLE_EQ(objective.initial_score(), 1.75);
  objective.prepare({.grades = grades, .weights = {}, .queries = queries});
  EXPECT_DOUBLE_EQ(objective.initial_score(), 4);
  const std::vector<float> none = {0, 0, 0};
  objective.prepare({.grades = grades, .weights = none, .queries = queries});
  EXPECT_EQ(objective.initial_score(), 0);
}

}  // namespace
}  // namespace glassrank
